// The rounding rule of quantized activations, on values worked out by hand.
#include "quant/act_block.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace minfer {
namespace {

using Values = std::array<float, 32>;

TEST(ActBlock, RoundsHalvesToEvenAndSumsEachHalf) {
  Values x{};
  x[0] = 127.0f;  // dx = 1, so codes are the values rounded
  x[1] = 0.5f;
  x[2] = 1.5f;
  x[3] = -2.5f;
  x[16] = -127.0f;
  x[31] = 3.5f;
  const ActBlock block = quantize_act_block(x.data());
  EXPECT_EQ(block.dx, 1.0f);
  EXPECT_EQ(block.q[1], 0);
  EXPECT_EQ(block.q[2], 2);
  EXPECT_EQ(block.q[3], -2);
  EXPECT_EQ(block.q[16], -127);
  EXPECT_EQ(block.q[31], 4);
  EXPECT_EQ(block.sum[0], 127);
  EXPECT_EQ(block.sum[1], -123);
}

TEST(ActBlock, MultipliesByTheReciprocal) {
  // Exactly, 7.5 · 127 / 15 = 63.5; with 127 / 15 rounded first it is 63.499996, with 15 / 127 rounded first 63.5.
  Values x{};
  x[0] = 15.0f;
  x[1] = 7.5f;
  EXPECT_EQ(quantize_act_block(x.data()).q[1], 63);
  EXPECT_EQ(quantize_act_block(x.data()).dx, 15.0f / 127.0f);
}

TEST(ActBlock, IsAllZeroBelowTheThreshold) {
  Values x;
  x.fill(9.9e-31f);
  const ActBlock block = quantize_act_block(x.data());
  EXPECT_EQ(block.dx, 0.0f);
  for (int8_t q : block.q) EXPECT_EQ(q, 0);
  x[5] = 1.1e-30f;
  EXPECT_EQ(quantize_act_block(x.data()).q[5], 127);
}

TEST(ActBlock, MarksANonFiniteValueWithNaN) {
  for (float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                    std::numeric_limits<float>::quiet_NaN()}) {
    Values x;
    x.fill(1.0f);
    x[20] = bad;
    const ActBlock block = quantize_act_block(x.data());
    EXPECT_TRUE(std::isnan(block.dx));
    for (int8_t q : block.q) EXPECT_EQ(q, 0);
    EXPECT_EQ(block.sum[0], 0);
    EXPECT_EQ(block.sum[1], 0);
  }
}

TEST(ActBlock, StaysWithin127AtTheLargestFloats) {
  Values x;
  x.fill(std::numeric_limits<float>::max());
  x[1] = -x[1];
  const ActBlock block = quantize_act_block(x.data());
  EXPECT_EQ(block.q[0], 127);
  EXPECT_EQ(block.q[1], -127);
  EXPECT_EQ(block.sum[1], 16 * 127);
}

TEST(ActBlock, QuantizesRowsBlockByBlock) {
  std::array<float, 64> x;
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i)) * (i < 32 ? 1.0f : 100.0f);
  ActBlock row[2];
  quantize_act_row(x.data(), row, 64);
  for (int b = 0; b < 2; ++b) {
    const ActBlock single = quantize_act_block(x.data() + 32 * b);
    EXPECT_EQ(std::memcmp(&single, &row[b], sizeof(single)), 0);
  }
}

}  // namespace
}  // namespace minfer
