#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace minfer {
namespace {

// The value of a finite binary16 pattern, from the format's definition.
double f16_value(uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const int mantissa = h & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, WidensEveryF16ExactlyAndNarrowsItBack) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto h = static_cast<uint16_t>(i);
    const float f = f16_to_f32(h);
    const bool special = (h & 0x7C00) == 0x7C00;
    if (special && (h & 0x3FF) != 0) {
      ASSERT_TRUE(std::isnan(f)) << i;
      ASSERT_EQ(f32_to_f16(f), h | 0x200) << i;
      continue;
    }
    if (special) {
      ASSERT_TRUE(std::isinf(f)) << i;
    } else {
      ASSERT_EQ(f, f16_value(h)) << i;
    }
    ASSERT_EQ(std::signbit(f), (h & 0x8000) != 0) << i;
    ASSERT_EQ(f32_to_f16(f), h) << i;
  }
}

TEST(Half, RoundsBetweenNeighboursToNearestEven) {
  for (uint32_t i = 0; i < 0x7BFF; ++i) {
    const auto low = static_cast<uint16_t>(i);
    const auto high = static_cast<uint16_t>(i + 1);
    const auto middle = static_cast<float>((f16_value(low) + f16_value(high)) / 2);
    const uint16_t even = (low & 1) == 0 ? low : high;
    ASSERT_EQ(f32_to_f16(middle), even) << i;
    ASSERT_EQ(f32_to_f16(std::nextafter(middle, 0.0f)), low) << i;
    ASSERT_EQ(f32_to_f16(std::nextafter(middle, 1e9f)), high) << i;
    ASSERT_EQ(f32_to_f16(-middle), even | 0x8000) << i;
  }
}

TEST(Half, OverflowsToInfinityFrom65520) {
  EXPECT_EQ(f32_to_f16(std::nextafter(65520.0f, 0.0f)), 0x7BFF);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7C00);
  EXPECT_EQ(f32_to_f16(-65520.0f), 0xFC00);
  EXPECT_EQ(f32_to_f16(65536.0f), 0x7C00);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(f32_to_f16(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(f32_to_f16(-0.0f), 0x8000);
}

TEST(Half, RoundsToBf16AsTheGgufPackageDoes) {
  EXPECT_EQ(f32_to_bf16(1.0f), 0x3F80);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3F808000u)), 0x3F80);  // a tie to even, down
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3F818000u)), 0x3F82);  // a tie to even, up
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3F808001u)), 0x3F81);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x00008000u)), 0x0000);  // subnormals round as the rest
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x00018000u)), 0x0002);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x7F800001u)), 0x7FC0);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0xFFFFFFFFu)), 0xFFFF);
}

TEST(Half, WidensEveryBf16AndNarrowsItBack) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto h = static_cast<uint16_t>(i);
    const float f = bf16_to_f32(h);
    ASSERT_EQ(std::bit_cast<uint32_t>(f), i << 16);
    ASSERT_EQ(f32_to_bf16(f), std::isnan(f) ? h | 0x40 : h) << i;
  }
}

}  // namespace
}  // namespace minfer
