#include "gguf/file_type.h"

#include <gtest/gtest.h>

#include <limits>

namespace minfer {
namespace {

// Numbers and names as in llama.cpp's headers.
TEST(FileType, HasTheNamesOfTheField) {
  EXPECT_EQ(file_type_name(0), "F32");
  EXPECT_EQ(file_type_name(3), "Q4_1");
  EXPECT_EQ(file_type_name(7), "Q8_0");
  EXPECT_EQ(file_type_name(10), "Q2_K");
  EXPECT_EQ(file_type_name(15), "Q4_K_M");
  EXPECT_EQ(file_type_name(18), "Q6_K");
  EXPECT_EQ(file_type_name(25), "IQ4_NL");
  EXPECT_EQ(file_type_name(30), "IQ4_XS");
  EXPECT_EQ(file_type_name(32), "BF16");
  EXPECT_EQ(file_type_name(38), "MXFP4");
}

TEST(FileType, HasNoNameForOtherNumbers) {
  for (const uint64_t number : {uint64_t{4}, uint64_t{35}, uint64_t{39}, std::numeric_limits<uint64_t>::max()}) {
    EXPECT_EQ(file_type_name(number), "") << number;
  }
}

}  // namespace
}  // namespace minfer
