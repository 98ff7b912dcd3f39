// sum = a + b; y = rms_norm(sum), as f32 or in blocks: the bits of add, rms_norm and quantize one after the other.
#include "graph/ops/add_rms_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/ops/add.h"
#include "graph/ops/quantize.h"
#include "graph/ops/rms_norm.h"
#include "tests/ops/elementwise.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

struct NormShape {
  int64_t capacity;
  int64_t rows;
  int64_t n;
  Fill fill = Fill::kPlain;
};

constexpr NormShape kShapes[] = {{1, 1, 32},  {4, 3, 64},   {2, 2, 576},
                                 {7, 5, 896}, {1, 1, 1536}, {6, 6, 96, Fill::kHostile}};

struct Data {
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> gain;
};

Data make_data(const NormShape& shape) {
  return {random_floats(30, shape.rows * shape.n, shape.fill), random_floats(31, shape.rows * shape.n, shape.fill),
          random_floats(32, shape.n)};
}

// One case, with its inputs fed.
struct Case {
  OpCase c;
  WeightId gain;
  ValueId a;
  ValueId b;

  Case(const char* name, const NormShape& shape, const Data& data)
      : c(fmt::format("{} {}x{}", name, shape.rows, shape.n), shape.capacity) {
    gain = c.weight("gain", DType::kF32, {shape.n}, to_bytes(data.gain));
    a = c.input("a", DType::kF32, {shape.n});
    b = c.input("b", DType::kF32, {shape.n});
    c.step(shape.rows);
    c.feed(a, to_bytes(data.a));
    c.feed(b, to_bytes(data.b));
  }
};

void check_norm(const NormShape& shape, const Data& data, float eps, DType dtype, const Bytes& sum, const Bytes& y) {
  Case t("add_rms_norm", shape, data);
  AddRmsNormParams params;
  params.eps = eps;
  params.dtype = dtype;
  const AddRmsNormResult result = add_rms_norm(t.c.builder(), t.a, t.b, t.gain, params, "y");
  t.c.expect(result.sum, sum);
  t.c.expect(result.y, y);
  t.c.check();
}

TEST(AddRmsNormOp, GivesTheBitsOfItsParts) {
  for (const NormShape& shape : kShapes) {
    const Data data = make_data(shape);
    Case plain("add, rms_norm, quantize", shape, data);
    const ValueId sum = add(plain.c.builder(), plain.a, plain.b, "sum");
    const ValueId normalized = rms_norm(plain.c.builder(), sum, plain.gain, 1e-6F, "normalized");
    const ValueId rounded = quantize(plain.c.builder(), normalized, "rounded");
    check_norm(shape, data, 1e-6F, DType::kF32, plain.c.reference(sum), plain.c.reference(normalized));
    check_norm(shape, data, 1e-6F, DType::kQ8A, plain.c.reference(sum), plain.c.reference(rounded));
  }
}

TEST(AddRmsNormOp, TakesAnyWidthWhenNothingIsRounded) {
  const NormShape shape{3, 2, 5};
  const Data data = make_data(shape);
  std::vector<float> sum;
  std::vector<float> y;
  for (size_t i = 0; i < data.a.size(); ++i) sum.push_back(data.a[i] + data.b[i]);
  for (size_t row = 0; row < 2; ++row) {
    const auto begin = sum.begin() + static_cast<int64_t>(row * 5);
    const float r = 1.0F / std::sqrt(lane_sum_of_squares(std::vector<float>(begin, begin + 5)) / 5.0F + 1e-5F);
    for (size_t i = 0; i < 5; ++i) y.push_back(sum[row * 5 + i] * r * data.gain[i]);
  }
  check_norm(shape, data, 1e-5F, DType::kF32, to_bytes(sum), to_bytes(y));
}

// Sums of 2 and -2 have a mean square of 4: with eps 0 they become the gain, 127 and -127, which a block holds exactly.
TEST(AddRmsNormOp, RoundsAfterTheGain) {
  Data data{std::vector<float>(32, 1.5F), std::vector<float>(32, 0.5F), std::vector<float>(32, 127.0F)};
  data.a[3] = -1.0F;
  data.b[3] = -1.0F;
  std::vector<float> sum(32, 2.0F);
  sum[3] = -2.0F;
  ActBlock block{};
  block.dx = 1.0F;
  std::fill(std::begin(block.q), std::end(block.q), static_cast<int8_t>(127));
  block.q[3] = -127;
  block.sum[0] = 127 * 14;
  block.sum[1] = 127 * 16;
  check_norm({1, 1, 32}, data, 0.0F, DType::kQ8A, to_bytes(sum), to_bytes<ActBlock>({block}));
}

}  // namespace
}  // namespace minfer::ops_test
