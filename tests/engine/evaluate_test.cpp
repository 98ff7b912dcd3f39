#include "engine/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

TEST(NegativeLogLikelihood, OfEqualLogitsIsTheLogarithmOfTheirNumber) {
  const std::vector<float> logits(1000, -3.5F);
  EXPECT_NEAR(negative_log_likelihood(logits, 999), std::log(1000.0), 1e-12);
}

TEST(NegativeLogLikelihood, IsTheClosedFormForTwoTokens) {
  const std::vector<float> logits{2.0F, -1.0F};
  EXPECT_NEAR(negative_log_likelihood(logits, 0), std::log1p(std::exp(-3.0)), 1e-14);
  EXPECT_NEAR(negative_log_likelihood(logits, 1), 3.0 + std::log1p(std::exp(-3.0)), 1e-14);
}

TEST(NegativeLogLikelihood, DoesNotOverflowWithLargeLogits) {
  const std::vector<float> logits{3e38F, 3e38F, -3e38F};
  EXPECT_NEAR(negative_log_likelihood(logits, 1), 0.0, 1e30);
  EXPECT_TRUE(std::isfinite(negative_log_likelihood(logits, 2)));
}

TEST(NegativeLogLikelihood, RefusesTokensWithoutALogit) {
  const std::vector<float> logits{0.0F, 1.0F};
  EXPECT_EQ(refusal([&] { negative_log_likelihood(logits, 2); }), "internal: [evaluate] token 2 has no logit");
  EXPECT_EQ(refusal([&] { negative_log_likelihood(logits, -1); }), "internal: [evaluate] token -1 has no logit");
}

TEST(TopTokens, AreSortedWithTheLowerIdFirstOnTies) {
  const std::vector<float> logits{1.0F, 3.0F, 1.0F, 3.0F, -std::numeric_limits<float>::infinity()};
  const auto top = top_tokens(logits, 4);
  ASSERT_EQ(top.size(), 4U);
  const TokenId ids[] = {1, 3, 0, 2};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(top[i].first, ids[i]);
  const double norm = std::log(2 * std::exp(3.0) + 2 * std::exp(1.0));
  EXPECT_NEAR(top[0].second, 3.0 - norm, 1e-14);
  EXPECT_NEAR(top[3].second, 1.0 - norm, 1e-14);
}

TEST(TopTokens, AreAtMostAsManyAsThereAre) {
  const std::vector<float> logits{0.0F, 1.0F};
  EXPECT_EQ(top_tokens(logits, 10).size(), 2U);
  EXPECT_TRUE(top_tokens(logits, 0).empty());
}

class Evaluate : public testing::Test {
 protected:
  Evaluate() : golden_(golden_case("qwen3-q5_0")), engine_(options(golden_)) {}

  static EngineOptions options(const GoldenCase& golden) {
    EngineOptions options = golden_options(golden);
    options.n_ctx = 64;
    options.chunk_rows = 10;
    return options;
  }

  GoldenCase golden_;
  Engine engine_;
};

TEST_F(Evaluate, SeesEveryPositionInOrder) {
  size_t next = 0;
  std::vector<size_t> progress;
  evaluate(
      engine_, golden_.tokens,
      [&](size_t position, std::span<const float> logits) {
        EXPECT_EQ(position, next++);
        EXPECT_EQ(logits.size(), 300U);
      },
      nullptr, [&](size_t done, size_t total) { progress.push_back(done * 1000 + total); });
  EXPECT_EQ(next, 64U);
  EXPECT_EQ(progress, (std::vector<size_t>{10064, 20064, 30064, 40064, 50064, 60064, 64064}));
}

TEST_F(Evaluate, LeavesNoSequenceBehind) {
  const int64_t free = engine_.sequences().stats().blocks_free;
  evaluate(engine_, golden_.tokens, [](size_t, std::span<const float>) {});
  EXPECT_EQ(engine_.sequences().stats().blocks_free, free);
  EXPECT_THROW(evaluate(engine_, golden_.tokens, [](size_t, std::span<const float>) { throw 1; }), int);
  EXPECT_EQ(engine_.sequences().stats().blocks_free, free);
}

TEST_F(Evaluate, RefusesNoTokensAndTooMany) {
  const EvaluateSink sink = [](size_t, std::span<const float>) {};
  EXPECT_EQ(refusal([&] { evaluate(engine_, {}, sink); }), "invalid_argument: there are no tokens to evaluate");
  EXPECT_EQ(refusal([&] { evaluate(engine_, std::vector<TokenId>(65), sink); }),
            "invalid_argument: 65 tokens do not fit: the context has room for 64 of its 64 (--ctx-size)");
}

TEST_F(Evaluate, CanBeCancelled) {
  std::atomic<bool> cancel = true;
  EXPECT_EQ(refusal([&] {
              evaluate(
                  engine_, golden_.tokens, [](size_t, std::span<const float>) {}, &cancel);
            }).substr(0, 9),
            "cancelled");
  EXPECT_EQ(engine_.sequences().stats().blocks_in_use, 0);
}

}  // namespace
}  // namespace minfer::test
