// clone and rollback: what was sampled is sampled again, bit for bit.
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "sampling/chain.h"

namespace minfer::sampling {
namespace {

using Tokens = std::vector<int32_t>;

// Logits over 50 tokens that differ from position to position but not much from token to token.
std::vector<float> logits_at(size_t position) {
  std::vector<float> logits(50);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>((i * 7 + position * 13) % 10) / 4.0F;
  return logits;
}

Tokens generate(Chain& chain, size_t n) {
  Tokens tokens;
  for (size_t i = 0; i < n; ++i) {
    tokens.push_back(chain.sample(logits_at(chain.history().size())).value());
    chain.accept(tokens.back());
  }
  return tokens;
}

SamplingParams lively() {
  SamplingParams params;
  params.repeat_penalty = 1.5F;
  params.repeat_last_n = 4;
  return params;
}

// Counts what it is told.
class Recorder : public TokenMask {
 public:
  explicit Recorder(Tokens& log) : log_(log) {}
  void apply(std::span<float> /*logits*/) override {}
  void accept(int32_t token) override { log_.push_back(token); }
  void rollback(size_t n) override { log_.resize(log_.size() - n); }
  std::unique_ptr<TokenMask> clone() const override { return std::make_unique<Recorder>(log_); }

 private:
  Tokens& log_;
};

TEST(ChainRollback, RepeatsTheSameTokens) {
  Chain chain(lively());
  chain.accept_prompt(Tokens{1, 2, 3});
  const Tokens first = generate(chain, 20);
  chain.rollback(15);
  EXPECT_EQ(chain.history().size(), 8U);
  EXPECT_EQ(generate(chain, 15), Tokens(first.begin() + 5, first.end()));
}

TEST(ChainRollback, RefusesToGoBackIntoThePrompt) {
  Chain chain(lively());
  chain.accept_prompt(Tokens{1, 2, 3});
  generate(chain, 2);
  EXPECT_THROW(chain.rollback(3), Error);
  EXPECT_EQ(chain.history().size(), 5U);
  chain.rollback(2);
  EXPECT_THROW(chain.rollback(1), Error);
  generate(chain, 2);
  chain.accept_prompt(Tokens{4});
  EXPECT_THROW(chain.rollback(1), Error) << "a later turn's prompt is none the less a prompt";
}

TEST(ChainRollback, TakesTheMaskAlong) {
  Tokens log;
  Chain chain(lively(), std::make_unique<Recorder>(log));
  chain.accept_prompt(Tokens{1, 2, 3});
  EXPECT_TRUE(log.empty()) << "a prompt is not under the mask";
  const Tokens tokens = generate(chain, 5);
  EXPECT_EQ(log, tokens);
  chain.rollback(3);
  EXPECT_EQ(log, Tokens(tokens.begin(), tokens.begin() + 2));
}

TEST(ChainClone, GoesOnAsTheOriginalDoesAndIsIndependent) {
  Chain chain(lively());
  chain.accept_prompt(Tokens{1, 2, 3});
  generate(chain, 5);
  Chain copy = chain.clone();
  const Tokens expected = generate(chain, 20);
  EXPECT_EQ(copy.history().size(), 8U);
  EXPECT_EQ(generate(copy, 20), expected);
}

TEST(ChainClone, DrawsOtherTokensForAnotherChoice) {
  Chain chain(lively());
  chain.accept_prompt(Tokens{1, 2, 3});
  Chain other = chain.clone(1);
  EXPECT_NE(generate(other, 20), generate(chain, 20));
}

TEST(Chain, SamplesTheSameUntilSomethingIsAccepted) {
  Chain chain(lively());
  const auto logits = logits_at(0);
  const auto token = chain.sample(logits);
  EXPECT_EQ(chain.sample(logits), token);
}

TEST(Chain, DrawsDependOnTheSeed) {
  SamplingParams params = lively();
  Chain a(params);
  params.seed = 43;
  Chain b(params);
  EXPECT_NE(generate(a, 20), generate(b, 20));
}

}  // namespace
}  // namespace minfer::sampling
