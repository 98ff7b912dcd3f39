// The type table against GGUF's own numbers.
#include "tensor/dtype.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace minfer {
namespace {

TEST(DType, KnowsThe34LiveIdsAndRefusesTheRetiredOnes) {
  int live = 0;
  for (uint32_t id = 0; id < 42; ++id) live += dtype_from_gguf_id(id).has_value();
  EXPECT_EQ(live, 34);
  for (uint32_t id : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 42u, 999u, 1000u, 65536u, 0x80000000u, 0xFFFFFFFFu}) {
    EXPECT_FALSE(dtype_from_gguf_id(id).has_value()) << id;
  }
}

TEST(DType, HasTheSizesOfTheFormat) {
  struct Case {
    uint32_t id;
    const char* name;
    int elements, bytes;
  };
  // Ids, names and sizes as published with the format.
  const Case cases[] = {
      {0, "F32", 1, 4},         {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},      {3, "Q4_1", 32, 20},
      {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},      {8, "Q8_0", 32, 34},      {9, "Q8_1", 32, 36},
      {10, "Q2_K", 256, 84},    {11, "Q3_K", 256, 110},   {12, "Q4_K", 256, 144},   {13, "Q5_K", 256, 176},
      {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},   {16, "IQ2_XXS", 256, 66}, {17, "IQ2_XS", 256, 74},
      {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},   {20, "IQ4_NL", 32, 18},   {21, "IQ3_S", 256, 110},
      {22, "IQ2_S", 256, 82},   {23, "IQ4_XS", 256, 136}, {24, "I8", 1, 1},         {25, "I16", 1, 2},
      {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8},        {29, "IQ1_M", 256, 56},
      {30, "BF16", 1, 2},       {34, "TQ1_0", 256, 54},   {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},
      {40, "NVFP4", 64, 36},    {41, "Q1_0", 128, 18}};
  for (const Case& c : cases) {
    const auto dtype = dtype_from_gguf_id(c.id);
    ASSERT_TRUE(dtype.has_value()) << c.id;
    EXPECT_EQ(dtype_name(*dtype), c.name);
    EXPECT_EQ(dtype_info(*dtype).block_elements, c.elements) << c.name;
    EXPECT_EQ(dtype_info(*dtype).block_bytes, c.bytes) << c.name;
    EXPECT_EQ(dtype_from_name(c.name), dtype);
  }
}

TEST(DType, FindsNamesInAnyCase) {
  EXPECT_EQ(dtype_from_name("q4_k"), DType::kQ4_K);
  EXPECT_EQ(dtype_from_name("bF16"), DType::kBF16);
  EXPECT_EQ(dtype_from_name("q8a"), DType::kQ8A);
  for (const char* wrong : {"", "q4", "q4_kk", "f32 ", "Q9_0"}) EXPECT_FALSE(dtype_from_name(wrong)) << wrong;
}

TEST(DType, TellsFileTypesFromInternalOnes) {
  EXPECT_TRUE(dtype_info(DType::kI32).is_file_type());
  EXPECT_FALSE(dtype_info(DType::kQ8A).is_file_type());
  EXPECT_EQ(dtype_info(DType::kQ8A).block_bytes, 40);
}

TEST(DType, RefusesAValueThatIsNoEnumerator) {
  EXPECT_THROW(dtype_info(static_cast<DType>(4)), Error);
}

}  // namespace
}  // namespace minfer
