// The codec table: which types it has, and the sizes it insists on.
#include "quant/codec.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace minfer {
namespace {

TEST(Codec, ExistsForEveryTypeThatTheTableGivesOne) {
  for (const DTypeInfo& info : all_dtypes()) {
    EXPECT_EQ(find_codec(info.dtype) != nullptr, info.has_codec) << info.name;
  }
}

// Later types come on top; none of these may go.
TEST(Codec, ReadsTheTypesOfCommonFilesAndWritesTheSimplerOnes) {
  for (DType dtype :
       {DType::kF32, DType::kF16, DType::kBF16, DType::kQ4_0, DType::kQ4_1, DType::kQ5_0, DType::kQ5_1, DType::kQ8_0}) {
    const Codec* codec = find_codec(dtype);
    ASSERT_NE(codec, nullptr) << dtype_name(dtype);
    EXPECT_NE(codec->quantize, nullptr) << dtype_name(dtype);
  }
  for (DType dtype : {DType::kQ2_K, DType::kQ3_K, DType::kQ4_K, DType::kQ5_K, DType::kQ6_K, DType::kIQ4_NL,
                      DType::kIQ4_XS, DType::kMXFP4}) {
    EXPECT_NE(find_codec(dtype), nullptr) << dtype_name(dtype);
  }
}

TEST(Codec, RefusesTypesKnownByNameOnly) {
  std::vector<std::byte> bytes(84);
  std::vector<float> values(256);
  EXPECT_THROW(dequantize(DType::kIQ2_XXS, bytes, values), Error);
  EXPECT_THROW(quantize(DType::kQ2_K, values, bytes), Error);
}

TEST(Codec, RefusesSizesThatDoNotMatch) {
  std::vector<float> values(64);
  std::vector<std::byte> bytes(36);
  EXPECT_NO_THROW(dequantize(DType::kQ4_0, bytes, values));
  EXPECT_THROW(dequantize(DType::kQ4_0, std::span(bytes).first(35), values), Error);
  EXPECT_THROW(dequantize(DType::kQ4_0, std::span(bytes).first(18), values), Error);
  EXPECT_THROW(dequantize(DType::kQ4_0, bytes, std::span(values).first(63)), Error);
  EXPECT_THROW(quantize(DType::kQ4_0, std::span(values).first(48), bytes), Error);
}

TEST(Codec, ReadsUnalignedBytes) {
  std::vector<std::byte> bytes(1 + 34);
  bytes[2] = std::byte{0x3C};  // d = 1
  bytes[3] = std::byte{0xFE};  // q[0] = -2
  std::vector<float> values(32);
  dequantize(DType::kQ8_0, std::span(bytes).subspan(1), values);
  EXPECT_EQ(values[0], -2.0f);
  EXPECT_EQ(values[1], 0.0f);
}

TEST(Codec, StoresTinyBlocksAsZeros) {
  for (DType dtype : {DType::kQ4_0, DType::kQ4_1, DType::kQ5_0, DType::kQ5_1, DType::kQ8_0}) {
    std::vector<float> values(32, 5e-31f);
    values[3] = -9e-31f;
    std::vector<std::byte> bytes(static_cast<size_t>(dtype_info(dtype).block_bytes));
    quantize(dtype, values, bytes);
    dequantize(dtype, bytes, values);
    for (float value : values) EXPECT_EQ(value, 0.0f) << dtype_name(dtype);
  }
}

}  // namespace
}  // namespace minfer
