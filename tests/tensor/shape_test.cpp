// Shapes and byte sizes, and their limits.
#include "tensor/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/error.h"
#include "tensor/tensor_desc.h"

namespace minfer {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(Shape, CountsElementsAndRows) {
  const Shape shape{2, 3, 5};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.n_elements(), 30);
  EXPECT_EQ(shape.n_rows(), 6);
  EXPECT_EQ(shape.row_elements(), 5);
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[-1], 5);
  EXPECT_EQ(shape.to_string(), "[2, 3, 5]");
}

TEST(Shape, TreatsRankZeroAsOneElement) {
  EXPECT_EQ(Shape().n_elements(), 1);
  EXPECT_EQ(Shape().n_rows(), 1);
  EXPECT_EQ(Shape().to_string(), "[]");
}

TEST(Shape, ComparesByRankAndExtents) {
  EXPECT_EQ((Shape{4, 1}), (Shape{4, 1}));
  EXPECT_NE((Shape{4, 1}), (Shape{4}));
  EXPECT_NE((Shape{4, 1}), (Shape{1, 4}));
}

TEST(Shape, RefusesBadDimensions) {
  EXPECT_THROW((Shape{1, 2, 3, 4, 5}), Error);
  EXPECT_THROW((Shape{-1}), Error);
  EXPECT_THROW(Shape({3, 4})[2], Error);
  EXPECT_THROW(Shape({3, 4})[-3], Error);
}

TEST(Shape, RefusesAProductBeyond64Bits) {
  EXPECT_EQ((Shape{kHuge, 1, 1}).n_elements(), kHuge);
  EXPECT_THROW((Shape{kHuge, 2}).n_elements(), Error);
  EXPECT_THROW((Shape{int64_t{1} << 32, int64_t{1} << 31}).n_elements(), Error);
  EXPECT_EQ((Shape{kHuge, 2, 0}).n_elements(), 0);
}

TEST(TensorDesc, ComputesBytesByBlocks) {
  EXPECT_EQ((TensorDesc{DType::kQ4_K, {3, 512}}.row_bytes()), 288);
  EXPECT_EQ((TensorDesc{DType::kQ4_K, {3, 512}}.size_bytes()), 864);
  EXPECT_EQ((TensorDesc{DType::kF32, {7}}.size_bytes()), 28);
  EXPECT_EQ((TensorDesc{DType::kQ8A, {5, 64}}.size_bytes()), 400);
  EXPECT_EQ((TensorDesc{DType::kBF16, {0, 64}}.size_bytes()), 0);
  EXPECT_EQ((TensorDesc{DType::kQ4_0, {2, 64}}.to_string()), "Q4_0 [2, 64]");
}

TEST(TensorDesc, RefusesPartialBlocksAndOverflow) {
  EXPECT_THROW((TensorDesc{DType::kQ4_K, {3, 288}}.size_bytes()), Error);
  EXPECT_THROW((TensorDesc{DType::kF32, {kHuge / 2}}.size_bytes()), Error);
  EXPECT_THROW((TensorDesc{DType::kF32, {kHuge / 8, 16}}.size_bytes()), Error);
}

}  // namespace
}  // namespace minfer
