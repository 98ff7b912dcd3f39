// The chain as a whole: order of its stages, damaged logits, the mask's seam.
#include "sampling/chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "base/error.h"
#include "sampling/logprob.h"

namespace minfer::sampling {
namespace {

using Floats = std::vector<float>;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

SamplingParams everything_off() {
  SamplingParams params;
  params.temperature = 1;
  params.top_k = 0;
  params.top_p = 1;
  return params;
}

SamplingParams greedy_params() {
  SamplingParams params = everything_off();
  params.temperature = 0;
  return params;
}

// Every token that a chain draws at 300 positions for the same logits.
std::set<int32_t> drawn(Chain chain, const Floats& logits) {
  std::set<int32_t> tokens;
  for (int i = 0; i < 300; ++i) {
    tokens.insert(chain.sample(logits).value());
    chain.accept(0);
  }
  return tokens;
}

class Allow : public TokenMask {
 public:
  explicit Allow(std::set<int32_t> allowed) : allowed_(std::move(allowed)) {}
  void apply(std::span<float> logits) override {
    for (size_t i = 0; i < logits.size(); ++i) {
      if (!allowed_.contains(static_cast<int32_t>(i))) logits[i] = -kInf;
    }
  }
  void accept(int32_t /*token*/) override {}
  void rollback(size_t /*n*/) override {}
  std::unique_ptr<TokenMask> clone() const override { return std::make_unique<Allow>(allowed_); }

 private:
  std::set<int32_t> allowed_;
};

TEST(Chain, IsGreedyBelowAMillionth) {
  SamplingParams params = greedy_params();
  EXPECT_EQ(Chain(params).sample(Floats{1, 5, 5, 2}), 1);
  params.temperature = 0.9e-6F;
  EXPECT_EQ(Chain(params).sample(Floats{1, 5, 5, 2}), 1);
}

TEST(Chain, PenalizesBeforeTheGreedyChoice) {
  SamplingParams params = greedy_params();
  params.repeat_penalty = 2;
  Chain chain(params);
  chain.accept_prompt(std::vector<int32_t>{1});
  EXPECT_EQ(chain.sample(Floats{3, 5, 1}), 0) << "5 / 2 < 3: the prompt's tail counts";
  chain.accept(0);
  EXPECT_EQ(chain.sample(Floats{3, 5, 2}), 1) << "2.5, 1.5 and 2";
}

TEST(Chain, DrawsOnlyWhatAllFiltersLeave) {
  SamplingParams params = everything_off();
  const Floats logits = {0, 0.1F, 0.2F, 0.3F, 0.4F};
  EXPECT_EQ(drawn(Chain(params), logits).size(), 5U);
  params.top_k = 3;
  EXPECT_EQ(drawn(Chain(params), logits), (std::set<int32_t>{2, 3, 4}));
  params.top_p = 0.6F;  // shares of the three that top-k leaves: 0.367, 0.332, 0.301
  EXPECT_EQ(drawn(Chain(params), logits), (std::set<int32_t>{3, 4}));
  params.min_p = 0.95F;  // ln 0.95 = -0.051
  EXPECT_EQ(drawn(Chain(params), logits), (std::set<int32_t>{4}));
}

TEST(Chain, AppliesTopPBeforeTemperature) {
  SamplingParams params = everything_off();
  params.top_p = 0.6F;  // shares 0.643, 0.237, 0.120: one token, although at temperature 100 all are alike
  params.temperature = 100;
  EXPECT_EQ(drawn(Chain(params), Floats{1, 0.003F, -0.68F}), (std::set<int32_t>{0}));
}

TEST(Chain, DrawsEachTokenAsOftenAsItsProbabilitySays) {
  Chain chain(everything_off());
  const Floats logits = {std::log(1.0F), std::log(2.0F), std::log(5.0F)};
  std::vector<int> counts(3);
  for (int i = 0; i < 8000; ++i) {
    ++counts[static_cast<size_t>(chain.sample(logits).value())];
    chain.accept(0);
  }
  // Five standard deviations of a binomial count: 5 * sqrt(8000 p (1 - p)) is at most 217.
  EXPECT_NEAR(counts[0], 1000, 217);
  EXPECT_NEAR(counts[1], 2000, 217);
  EXPECT_NEAR(counts[2], 5000, 217);
}

TEST(Chain, NeverDrawsADamagedLogit) {
  EXPECT_EQ(drawn(Chain(everything_off()), Floats{kNan, 1, -kInf, kNan}), (std::set<int32_t>{1}));
  EXPECT_EQ(Chain(greedy_params()).sample(Floats{kNan, -5, -kInf}), 1);
  EXPECT_EQ(drawn(Chain(everything_off()), Floats{3, kInf, kNan, kInf}), (std::set<int32_t>{1, 3}));
}

TEST(Chain, RefusesLogitsWithoutANumber) {
  EXPECT_THROW(Chain(SamplingParams{}).sample(Floats{kNan, -kInf}), Error);
  EXPECT_THROW(Chain(greedy_params()).sample(Floats{kNan, -kInf}), Error);
  EXPECT_THROW(Chain(SamplingParams{}).sample(Floats{}), Error);
}

TEST(Chain, RefusesImpossibleParameters) {
  SamplingParams params;
  params.top_p = 2;
  EXPECT_THROW(Chain{params}, Error);
}

TEST(Chain, KeepsATokenAtEveryExtreme) {
  SamplingParams params;
  params.temperature = 1e-6F;
  params.top_k = 1;
  params.top_p = 1e-30F;
  params.min_p = 1;
  params.repeat_penalty = 3e38F;
  params.frequency_penalty = 3e38F;
  params.presence_penalty = 3e38F;
  Chain chain(params);
  chain.accept_prompt(std::vector<int32_t>{0, 1, 1, 2});
  EXPECT_EQ(chain.sample(Floats{3e38F, -3e38F, 0}), 0);
  EXPECT_TRUE(chain.sample(Floats{-3e38F, -3e38F, -3e38F}).has_value());
}

TEST(Chain, DrawsOnlyWhatTheMaskAllows) {
  const Floats logits = {9, 8, 7, 6};
  EXPECT_EQ(drawn(Chain(everything_off(), std::make_unique<Allow>(std::set<int32_t>{2, 3})), logits),
            (std::set<int32_t>{2, 3}));
  EXPECT_EQ(Chain(greedy_params(), std::make_unique<Allow>(std::set<int32_t>{2, 3})).sample(logits), 2);
}

TEST(Chain, FiltersCountOnlyAllowedTokens) {
  SamplingParams params = everything_off();
  params.top_k = 1;
  EXPECT_EQ(drawn(Chain(params, std::make_unique<Allow>(std::set<int32_t>{3})), Floats{9, 8, 7, 6}),
            (std::set<int32_t>{3}));
}

TEST(Chain, SaysThatAMaskLeavesNothing) {
  EXPECT_EQ(Chain(SamplingParams{}, std::make_unique<Allow>(std::set<int32_t>{})).sample(Floats{1, 2}), std::nullopt);
  EXPECT_EQ(Chain(greedy_params(), std::make_unique<Allow>(std::set<int32_t>{})).sample(Floats{1, 2}), std::nullopt);
  EXPECT_EQ(Chain(greedy_params(), std::make_unique<Allow>(std::set<int32_t>{0})).sample(Floats{kNan, 2}),
            std::nullopt);
}

TEST(Chain, NeverLetsPenaltiesBringATokenBack) {
  SamplingParams params = greedy_params();
  params.presence_penalty = -100;
  Chain chain(params);
  chain.accept_prompt(std::vector<int32_t>{0});
  EXPECT_EQ(chain.sample(Floats{-kInf, 2}), 1);
}

TEST(Logprob, MatchesTheClosedForm) {
  const Floats logits = {std::log(1.0F), std::log(2.0F), std::log(5.0F)};
  EXPECT_NEAR(token_logprob(logits, 0), std::log(0.125), 1e-6);
  EXPECT_NEAR(token_logprob(logits, 2), std::log(0.625), 1e-6);
  EXPECT_EQ(token_logprob(Floats{3}, 0), 0.0F);
  EXPECT_THROW(token_logprob(logits, 3), Error);
  EXPECT_THROW(token_logprob(logits, -1), Error);
}

}  // namespace
}  // namespace minfer::sampling
