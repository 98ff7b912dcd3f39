// Top-k, top-p, min-p, temperature and the greedy choice, each alone, against closed forms and full sorts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "sampling/greedy.h"
#include "sampling/sampler.h"
#include "sampling/softmax.h"
#include "sampling/top_k.h"
#include "sampling/top_p.h"

namespace minfer::sampling {
namespace {

using Floats = std::vector<float>;
constexpr float kGone = -std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

Floats applied(const std::unique_ptr<Sampler>& sampler, Floats logits) {
  sampler->apply(logits, StepContext{});
  return logits;
}

SamplingParams with(void (*change)(SamplingParams&)) {
  SamplingParams params;
  change(params);
  return params;
}

Floats random_logits(size_t n, uint32_t seed) {
  std::mt19937 bits(seed);
  Floats logits(n);
  for (float& v : logits) v = static_cast<float>(bits() % 20000) / 1000.0F - 10.0F;
  return logits;
}

TEST(TopK, KeepsTheLargestAndTiesAtTheBorder) {
  const auto top2 = make_top_k(with([](SamplingParams& p) { p.top_k = 2; }));
  EXPECT_EQ(applied(top2, {1, 3, 2, 0}), (Floats{kGone, 3, 2, kGone}));
  EXPECT_EQ(applied(top2, {2, 3, 2, 0, 2}), (Floats{2, 3, 2, kGone, 2}));
}

TEST(TopK, LeavesAShorterListAlone) {
  EXPECT_EQ(applied(make_top_k(with([](SamplingParams& p) { p.top_k = 2147483647; })), {1, 3, 2}), (Floats{1, 3, 2}));
}

TEST(TopK, IsOffAtZeroAndBelow) {
  EXPECT_EQ(make_top_k(with([](SamplingParams& p) { p.top_k = 0; })), nullptr);
  EXPECT_EQ(make_top_k(with([](SamplingParams& p) { p.top_k = -1; })), nullptr);
}

TEST(TopK, FindsTheSameBorderAsAFullSort) {
  const Floats logits = random_logits(20000, 7);
  Floats sorted = logits;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (const size_t k : {1U, 2U, 40U, 1000U, 9999U, 20000U}) EXPECT_EQ(kth_largest(logits, k), sorted[k - 1]) << k;
  std::reverse(sorted.begin(), sorted.end());
  EXPECT_EQ(kth_largest(sorted, 40), sorted[sorted.size() - 40]);
}

TEST(Softmax, AddsInSixteenLanes) {
  // One weight of 1 and fifteen just below 2^-25. One after the other, 1 swallows them all. Folding 16 lanes by 8, 4, 2
  // and 1 makes lane 0 meet 2^-25 and 2^-24 (swallowed), then 2^-23 and 2^-22, which are 1 and 2 ulps.
  Floats logits(16, -17.32869F);
  logits[0] = 0.0F;
  Floats weights(16);
  EXPECT_EQ(softmax_weights(logits, weights), 1.0F + 3 * 0x1p-23F);
  EXPECT_EQ(weights[0], 1.0F);
}

TEST(Softmax, MatchesTheClosedForm) {
  Floats weights(4);
  const Floats logits = {std::log(1.0F), std::log(2.0F), std::log(4.0F), std::log(8.0F)};
  EXPECT_NEAR(softmax_weights(logits, weights), 15.0 / 8.0, 1e-6);
  EXPECT_NEAR(weights[0], 0.125, 1e-7);
}

TEST(TopP, KeepsTheSmallestPrefixWhoseMassExceedsP) {
  // Four equal candidates have a quarter each, exactly.
  const Floats equal = {1, 1, 1, 1};
  EXPECT_EQ(nucleus(equal, 0.24F), (std::vector<uint32_t>{0}));
  EXPECT_EQ(nucleus(equal, 0.25F), (std::vector<uint32_t>{0, 1})) << "a mass equal to p does not exceed it";
  EXPECT_EQ(nucleus(equal, 0.74F), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(TopP, RanksByProbabilityThenById) {
  // Weights 1, 4, 2, 4 of 11.
  const Floats logits = {0, 2 * std::log(2.0F), std::log(2.0F), 2 * std::log(2.0F)};
  EXPECT_EQ(nucleus(logits, 0.5F), (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(nucleus(logits, 0.8F), (std::vector<uint32_t>{1, 3, 2}));
  const auto top_p = make_top_p(with([](SamplingParams& p) { p.top_p = 0.5F; }));
  EXPECT_EQ(applied(top_p, logits), (Floats{kGone, logits[1], kGone, logits[3]}));
}

TEST(TopP, KeepsTheMostLikelyForATinyP) {
  EXPECT_EQ(nucleus(Floats{1, 5, 2}, 1e-30F), (std::vector<uint32_t>{1}));
}

TEST(TopP, IsOffAtZeroAndOne) {
  EXPECT_EQ(make_top_p(with([](SamplingParams& p) { p.top_p = 0; })), nullptr);
  EXPECT_EQ(make_top_p(with([](SamplingParams& p) { p.top_p = 1; })), nullptr);
}

TEST(TopP, GivesThePrefixOfAFullSortWhateverItsLength) {
  const Floats logits = random_logits(5000, 3);
  std::vector<uint32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return logits[a] > logits[b]; });
  double total = 0;
  for (const float v : logits) total += std::exp(static_cast<double>(v));
  for (const float p : {0.1F, 0.5F, 0.9F, 0.99F, 0.9999F}) {
    const std::vector<uint32_t> kept = nucleus(logits, p);
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), order.begin())) << p;
    double mass = 0;
    for (const uint32_t i : kept) mass += std::exp(static_cast<double>(logits[i])) / total;
    EXPECT_NEAR(mass, p, 2e-3) << p;
    EXPECT_GT(mass, p - 1e-4) << p;
  }
}

TEST(MinP, KeepsProbabilitiesAboveAShareOfTheLargest) {
  const auto half = make_min_p(with([](SamplingParams& p) { p.min_p = 0.5F; }));
  // ln 0.5 = -0.6931…
  EXPECT_EQ(applied(half, {4.0F, 3.31F, 3.30F, -kMax}), (Floats{4.0F, 3.31F, kGone, kGone}));
}

TEST(MinP, KeepsAllOfTheLargestAtOne) {
  const auto one = make_min_p(with([](SamplingParams& p) { p.min_p = 1; }));
  EXPECT_EQ(applied(one, {4, 3.9999F, 4}), (Floats{4, kGone, 4}));
}

TEST(MinP, IsOffAtZero) {
  EXPECT_EQ(make_min_p(SamplingParams{}), nullptr);
}

TEST(Temperature, DividesTheDistanceFromTheLargest) {
  const auto half = make_temperature(with([](SamplingParams& p) { p.temperature = 0.5F; }));
  EXPECT_EQ(applied(half, {1, 3, 2}), (Floats{-4, 0, -2}));
}

TEST(Temperature, NeverMakesTheLargestInfinite) {
  const auto cold = make_temperature(with([](SamplingParams& p) { p.temperature = 1e-6F; }));
  EXPECT_EQ(applied(cold, {kMax, -kMax, kMax}), (Floats{0, kGone, 0}));
}

TEST(Temperature, IsOffAtOneAndForGreedy) {
  EXPECT_EQ(make_temperature(with([](SamplingParams& p) { p.temperature = 1; })), nullptr);
  EXPECT_EQ(make_temperature(with([](SamplingParams& p) { p.temperature = 0; })), nullptr);
}

TEST(Greedy, TakesTheLowestIdOnTies) {
  EXPECT_EQ(greedy(Floats{1, 7, 3, 7}), 1U);
  EXPECT_EQ(greedy(Floats{5}), 0U);
  EXPECT_EQ(greedy(Floats{kGone, kGone, -kMax}), 2U);
}

}  // namespace
}  // namespace minfer::sampling
