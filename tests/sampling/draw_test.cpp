// The random choice: numbers of Philox4x32-10 computed by another implementation, and inversion at its borders.
#include "sampling/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace minfer::sampling {
namespace {

using Floats = std::vector<float>;

constexpr float kBelowOne = 1.0F - 0x1p-24F;  // the largest number that can be drawn

TEST(Uniform, GivesThePublishedGeneratorsNumbers) {
  // The first is the first word of the generator's published vector for an all-zero key and counter, 0x6627e8d5.
  EXPECT_EQ(uniform({0, 0, 0}, DrawStream::kToken), 0x6627e8 * 0x1p-24F);
  EXPECT_EQ(uniform({42, 0, 0}, DrawStream::kToken), 0x9ceaf0 * 0x1p-24F);
  EXPECT_EQ(uniform({42, 0, 1}, DrawStream::kToken), 0xfcdb21 * 0x1p-24F);
  EXPECT_EQ(uniform({42, 1, 0}, DrawStream::kToken), 0x42e0b8 * 0x1p-24F);
  EXPECT_EQ(uniform({43, 0, 0}, DrawStream::kToken), 0x1f7bae * 0x1p-24F);
  EXPECT_EQ(uniform({uint64_t{42} << 32, 0, 0}, DrawStream::kToken), 0x402d17 * 0x1p-24F);
  EXPECT_EQ(uniform({0xFFFFFFFF00000007, 3, 4096}, DrawStream::kToken), 0xc71d86 * 0x1p-24F);
}

TEST(Draw, ChoosesWhereTheCumulativeWeightPassesU) {
  // Shares 1/4, 1/2, 1/4: weights 1/2, 1, 1/2 are exact up to the rounding of exp.
  const Floats logits = {-std::log(2.0F), 0, -std::log(2.0F)};
  EXPECT_EQ(draw(logits, 0.0F), 0U);
  EXPECT_EQ(draw(logits, 0.249F), 0U);
  EXPECT_EQ(draw(logits, 0.251F), 1U);
  EXPECT_EQ(draw(logits, 0.749F), 1U);
  EXPECT_EQ(draw(logits, 0.751F), 2U);
  EXPECT_EQ(draw(logits, kBelowOne), 2U);
}

TEST(Draw, BelongsToTheNextOneExactlyAtABorder) {
  EXPECT_EQ(draw(Floats{1, 1, 1, 1}, 0.25F), 1U);
  EXPECT_EQ(draw(Floats(1024, 3.0F), 0.5F), 512U) << "the border of a block";
  EXPECT_EQ(draw(Floats(1024, 3.0F), 0.5F - 0x1p-24F), 511U);
}

TEST(Draw, NeverChoosesWeightZero) {
  constexpr float kFar = -1000.0F;
  EXPECT_EQ(draw(Floats{kFar, kFar, 0, kFar}, 0.0F), 2U);
  EXPECT_EQ(draw(Floats{kFar, kFar, 0, kFar}, kBelowOne), 2U);
  Floats blocks(2000, kFar);
  blocks[700] = 5;
  EXPECT_EQ(draw(blocks, 0.0F), 700U);
  EXPECT_EQ(draw(blocks, 0.5F), 700U);
  EXPECT_EQ(draw(blocks, kBelowOne), 700U);
}

TEST(Draw, ReachesSmallWeightsBehindALargeOne) {
  // One weight of 1 and 2^18 - 1 of about 2^-26 each, which one f32 chain from 1 would all swallow; together they make
  // a share of 2^18 / (2^26 + 2^18) = 0.0039.
  Floats logits(1U << 18, -18.0218F);
  logits[0] = 0;
  EXPECT_EQ(draw(logits, 0.99F), 0U);
  const size_t late = draw(logits, 0.998F);
  EXPECT_NEAR(static_cast<double>(late) / (1U << 18), (0.998 * (1 + 1.0 / 256) - 1) * 256, 0.02);
}

TEST(Draw, AlwaysEndsInsideTheList) {
  for (size_t n = 1; n < 1100; n += 37) {
    Floats logits(n);
    for (size_t i = 0; i < n; ++i) logits[i] = static_cast<float>((i * 31) % 17) / 3.0F;
    EXPECT_LT(draw(logits, kBelowOne), n);
    EXPECT_EQ(draw(logits, 0.0F), 0U);
  }
  const float max = std::numeric_limits<float>::max();
  EXPECT_EQ(draw(Floats{-max, max, -max}, kBelowOne), 1U);
}

}  // namespace
}  // namespace minfer::sampling
