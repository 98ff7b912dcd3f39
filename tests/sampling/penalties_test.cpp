// Penalties against values worked out by hand (all exact in binary).
#include "sampling/penalties.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "sampling/sampler.h"

namespace minfer::sampling {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

SamplingParams penalty_params(float repeat, float frequency, float presence, int32_t last_n) {
  SamplingParams params;
  params.repeat_penalty = repeat;
  params.frequency_penalty = frequency;
  params.presence_penalty = presence;
  params.repeat_last_n = last_n;
  return params;
}

TEST(Penalties, DividesPositiveAndMultipliesOtherLogits) {
  EXPECT_EQ(penalize(3.0F, 1, {.repeat = 2.0F}), 1.5F);
  EXPECT_EQ(penalize(-3.0F, 1, {.repeat = 2.0F}), -6.0F);
  EXPECT_EQ(penalize(0.0F, 1, {.repeat = 2.0F}), 0.0F);
}

TEST(Penalties, SubtractsFrequencyPerOccurrenceAndPresenceOnceBeforeRepeat) {
  // 4 - 3 * 0.5 - 0.25 = 2.25, then 2.25 / 1.5 = 1.5
  EXPECT_EQ(penalize(4.0F, 3, {.repeat = 1.5F, .frequency = 0.5F, .presence = 0.25F}), 1.5F);
  // 1 - 3 * 0.5 - 0.25 = -0.75: the subtraction decides the sign that repeat sees
  EXPECT_EQ(penalize(1.0F, 3, {.repeat = 2.0F, .frequency = 0.5F, .presence = 0.25F}), -1.5F);
}

TEST(Penalties, IgnoresRepeatBelowOne) {
  EXPECT_EQ(penalize(3.0F, 1, {.repeat = 0.5F}), 3.0F);
  EXPECT_EQ(penalize(3.0F, 1, {.repeat = 0.0F}), 3.0F);
  EXPECT_EQ(make_penalties(penalty_params(0.5F, 0, 0, 64)), nullptr);
}

TEST(Penalties, KeepsFiniteFiniteAndRemovedRemoved) {
  EXPECT_EQ(penalize(-kMax, 1, {.repeat = 2.0F}), -kMax);
  EXPECT_EQ(penalize(kMax, 2, {.frequency = -kMax}), kMax);
  EXPECT_EQ(penalize(-kInf, 1, {.presence = -kMax}), -kInf);
}

TEST(Penalties, CountsEachDistinctTokenInTheWindowOnly) {
  const std::vector<int32_t> history = {0, 0, 3, 1, 1, 2};
  std::vector<float> logits = {8, 8, 8, 8};
  make_penalties(penalty_params(2, 1, 2, 3))->apply(logits, StepContext{history});
  // window {1, 1, 2}: token 1: (8 - 2 - 2) / 2, token 2: (8 - 1 - 2) / 2
  EXPECT_EQ(logits, (std::vector<float>{8, 2, 2.5F, 8}));
}

TEST(Penalties, LooksAtTheWholeSequenceForMinusOne) {
  const std::vector<int32_t> history = {0, 0, 3, 1, 1, 2};
  std::vector<float> logits = {8, 8, 8, 8};
  make_penalties(penalty_params(1, 1, 0, -1))->apply(logits, StepContext{history});
  EXPECT_EQ(logits, (std::vector<float>{6, 6, 7, 7}));
}

TEST(Penalties, PassesOverTokensOutsideTheVocabulary) {
  const std::vector<int32_t> history = {-1, 4, 1, std::numeric_limits<int32_t>::max()};
  std::vector<float> logits = {8, 8, 8, 8};
  make_penalties(penalty_params(1, 1, 0, 64))->apply(logits, StepContext{history});
  EXPECT_EQ(logits, (std::vector<float>{8, 7, 8, 8}));
}

TEST(Penalties, AreOffWithoutAWindow) {
  EXPECT_EQ(make_penalties(penalty_params(2, 1, 1, 0)), nullptr);
}

}  // namespace
}  // namespace minfer::sampling
