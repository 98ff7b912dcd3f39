// Answers of a tiny model: what ends them, what they depend on, and the text that comes out piece by piece.
#include "engine/generate.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/evaluate.h"
#include "engine/logit_hash.h"
#include "engine/tokenizer_metadata.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

bool is_whole_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t n = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (n == 0 || i + n > text.size()) return false;
    for (size_t k = 1; k < n; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return false;
    }
    i += n;
  }
  return true;
}

class Generate : public testing::Test {
 protected:
  Generate() : golden_(golden_case("qwen2-q4_0")), engine_(options()) {
    tokenizer_ = std::make_unique<Tokenizer>(read_tokenizer_spec(engine_.model().file().metadata()));
    request_.prompt.assign(golden_.tokens.begin(), golden_.tokens.begin() + 12);
    request_.sampling.temperature = 0;
    request_.ignore_eos = true;
    request_.n_predict = 20;
  }

  EngineOptions options(int n_threads = 1) const {
    EngineOptions options = golden_options(golden_);
    options.n_ctx = 64;
    options.n_threads = n_threads;
    options.n_sequences = 2;
    return options;
  }

  GenerateResult run(const GenerateRequest& request, const GenerateEvents& events = {}) {
    return run_on(engine_, request, events);
  }

  GenerateResult run_on(Engine& engine, const GenerateRequest& request, const GenerateEvents& events = {}) {
    const SequenceId id = engine.create_sequence();
    GenerateResult result = generate(engine, *tokenizer_, id, request, events);
    length_ = engine.length(id);
    engine.release(id);
    return result;
  }

  // The likeliest token behind `tokens`, end-of-generation tokens left out; by evaluating everything anew.
  TokenId best_after(std::span<const TokenId> tokens) {
    std::vector<float> last;
    evaluate(engine_, tokens,
             [&](size_t, std::span<const float> logits) { last.assign(logits.begin(), logits.end()); });
    for (TokenId id : tokenizer_->end_of_generation()) {
      last[static_cast<size_t>(id)] = -std::numeric_limits<float>::infinity();
    }
    return top_tokens(last, 1)[0].first;
  }

  GoldenCase golden_;
  Engine engine_;
  std::unique_ptr<Tokenizer> tokenizer_;
  GenerateRequest request_;
  int64_t length_ = 0;  // of the sequence behind the last run
};

TEST_F(Generate, GreedilyTakesTheLikeliestTokenOfEachStep) {
  const GenerateResult result = run(request_);
  ASSERT_EQ(result.tokens.size(), 20U);
  std::vector<TokenId> all = request_.prompt;
  for (TokenId token : result.tokens) {
    EXPECT_EQ(token, best_after(all));
    all.push_back(token);
  }
  EXPECT_EQ(result.finish, FinishReason::kLength);
  EXPECT_EQ(result.n_prompt, 12);
  StreamDetokenizer detokenizer(*tokenizer_, ControlOutput::kHide);
  std::string text;
  for (TokenId token : result.tokens) text += detokenizer.push(token);
  EXPECT_EQ(result.text, text + detokenizer.finish());
}

TEST_F(Generate, MakesAsManyTokensAsAsked) {
  request_.n_predict = 0;
  GenerateResult none = run(request_);
  EXPECT_TRUE(none.tokens.empty());
  EXPECT_EQ(none.text, "");
  EXPECT_EQ(none.finish, FinishReason::kLength);
  EXPECT_EQ(length_, 12);
  request_.n_predict = 1;
  EXPECT_EQ(run(request_).tokens, std::vector<TokenId>{best_after(request_.prompt)});
  EXPECT_EQ(length_, 12) << "the last token is given out, not computed";
}

TEST_F(Generate, EndsWithTheContext) {
  request_.n_predict = -1;
  const GenerateResult result = run(request_);
  EXPECT_EQ(result.finish, FinishReason::kContext);
  EXPECT_EQ(length_, 64);
  EXPECT_EQ(result.tokens.size(), 64U - 12U + 1U) << "the last token stands behind the context";
  request_.n_predict = 1000;
  EXPECT_EQ(run(request_).finish, FinishReason::kContext);
  request_.n_predict = static_cast<int64_t>(result.tokens.size());
  EXPECT_EQ(run(request_).finish, FinishReason::kLength);
}

TEST_F(Generate, TakesAPromptAsLongAsTheContext) {
  request_.prompt.assign(64, 5);
  const GenerateResult result = run(request_);
  EXPECT_EQ(result.tokens.size(), 1U);
  EXPECT_EQ(result.finish, FinishReason::kContext);
}

TEST_F(Generate, RefusesPromptsThatDoNotFitOrAreEmpty) {
  request_.prompt.assign(65, 5);
  EXPECT_EQ(refusal([&] { run(request_); }),
            "invalid_argument: the prompt has 65 tokens: 65 tokens do not fit: the context has room for 64 of its 64 "
            "(--ctx-size)");
  request_.prompt.clear();
  EXPECT_EQ(refusal([&] { run(request_); }), "invalid_argument: the prompt is empty: there is nothing to continue");
}

TEST_F(Generate, RefusesImpossibleSampling) {
  request_.sampling.top_p = 2;
  EXPECT_EQ(refusal([&] { run(request_); }).substr(0, 26), "invalid_argument: sampler:");
}

TEST_F(Generate, StopsAtAStringThatSpansTokens) {
  const GenerateResult whole = run(request_);
  // Three bytes around the border of two tokens that both have text.
  std::string before;
  std::string stop;
  for (size_t i = 4; i + 1 < whole.tokens.size() && stop.empty(); ++i) {
    before = tokenizer_->decode(std::span(whole.tokens).first(i), ControlOutput::kHide);
    const std::string next = tokenizer_->decode(std::span(whole.tokens).subspan(i, 1), ControlOutput::kHide);
    if (before.empty() || next.empty()) continue;
    const std::string candidate = before.substr(before.size() - 1) + next.substr(0, 1);
    if (whole.text.find(candidate) == before.size() - 1) stop = candidate;
  }
  ASSERT_FALSE(stop.empty());
  request_.stop = {"never said", stop};
  std::string streamed;
  GenerateEvents events;
  events.on_text = [&](std::string_view text) { streamed += text; };
  const GenerateResult result = run(request_, events);
  EXPECT_EQ(result.finish, FinishReason::kStop);
  EXPECT_EQ(result.stop, stop);
  EXPECT_EQ(result.text, before.substr(0, before.size() - 1));
  EXPECT_EQ(streamed, result.text);
  EXPECT_LT(result.tokens.size(), whole.tokens.size());
}

// A bias towards an end token needs no file of its own: sampling is forced by asking what the model would say.
TEST_F(Generate, StopsAtAnEndTokenUnlessTold) {
  ASSERT_FALSE(tokenizer_->end_of_generation().empty());
  request_.ignore_eos = false;
  request_.sampling.temperature = 3;
  request_.sampling.top_k = 0;
  request_.sampling.top_p = 1;
  request_.n_predict = -1;
  bool met = false;
  for (uint64_t seed = 0; seed < 200 && !met; ++seed) {
    request_.sampling.seed = seed;
    const GenerateResult result = run(request_);
    for (TokenId token : result.tokens) EXPECT_FALSE(tokenizer_->is_end_of_generation(token));
    met = result.finish == FinishReason::kStop;
    if (!met) continue;
    EXPECT_EQ(result.stop, "");
    request_.ignore_eos = true;
    const GenerateResult longer = run(request_);
    EXPECT_EQ(longer.finish, FinishReason::kContext);
    for (TokenId token : longer.tokens) EXPECT_FALSE(tokenizer_->is_end_of_generation(token));
  }
  EXPECT_TRUE(met);
}

TEST_F(Generate, RepeatsWithTheSameSeedAndDiffersWithAnother) {
  request_.sampling.temperature = 1;
  const GenerateResult first = run(request_);
  EXPECT_EQ(run(request_).tokens, first.tokens);
  request_.sampling.seed = 43;
  EXPECT_NE(run(request_).tokens, first.tokens);
}

TEST_F(Generate, DoesNotDependOnThreadsOrChunks) {
  request_.sampling.temperature = 1;
  request_.hash_logits = true;
  const GenerateResult expected = run(request_);
  EngineOptions options = this->options(3);
  options.chunk_rows = 5;
  Engine other(options);
  const GenerateResult actual = run_on(other, request_);
  EXPECT_EQ(actual.tokens, expected.tokens);
  EXPECT_EQ(actual.text, expected.text);
  EXPECT_EQ(actual.logit_hash, expected.logit_hash);
}

TEST_F(Generate, HashesTheRowsThatWereSampledFrom) {
  request_.n_predict = 3;
  EXPECT_EQ(run(request_).logit_hash, "");
  request_.hash_logits = true;
  const GenerateResult result = run(request_);
  std::vector<TokenId> all = request_.prompt;
  all.insert(all.end(), result.tokens.begin(), result.tokens.end() - 1);
  LogitHash hash;
  evaluate(engine_, all, [&](size_t position, std::span<const float> logits) {
    if (position + 1 >= request_.prompt.size()) hash.add(logits);
  });
  EXPECT_EQ(result.logit_hash, hash.text());
  EXPECT_EQ(result.logit_hash.size(), 16U);
}

TEST_F(Generate, ContinuesAConversationThatTheSequenceHolds) {
  request_.sampling.temperature = 1.5F;
  request_.sampling.repeat_penalty = 1.3F;
  const SequenceId id = engine_.create_sequence();
  GenerateRequest first = request_;
  first.prompt.resize(6);
  first.n_predict = 0;
  generate(engine_, *tokenizer_, id, first, {});
  GenerateRequest second = request_;
  second.prompt.erase(second.prompt.begin(), second.prompt.begin() + 6);
  EXPECT_EQ(refusal([&] { generate(engine_, *tokenizer_, id, second, {}); }),
            "invalid_argument: the history has 0 tokens, but the sequence holds 6");
  second.history = first.prompt;
  const GenerateResult parts = generate(engine_, *tokenizer_, id, second, {});
  engine_.release(id);
  EXPECT_EQ(parts.tokens, run(request_).tokens);
}

TEST_F(Generate, NeverChoosesARowThatPadsTheOutputMatrix) {
  TokenizerSpec spec = read_tokenizer_spec(engine_.model().file().metadata());
  spec.tokens.resize(266);  // all bytes, and the tokens of the first ten merges
  spec.token_types.resize(266);
  spec.merges.resize(10);
  spec.bos_id = spec.eos_id = spec.eot_id = spec.eom_id = spec.unk_id = spec.pad_id = std::nullopt;
  const Tokenizer smaller(spec);
  request_.prompt = {1, 2, 3};
  request_.sampling.temperature = 50;
  request_.sampling.top_k = 0;
  request_.sampling.top_p = 1;
  request_.n_predict = 60;
  const SequenceId id = engine_.create_sequence();
  const GenerateResult result = generate(engine_, smaller, id, request_, {});
  engine_.release(id);
  ASSERT_EQ(result.tokens.size(), 60U);
  for (TokenId token : result.tokens) EXPECT_LT(token, 266);
}

TEST_F(Generate, GivesOutWholeCharactersThatAddUpToTheResult) {
  request_.sampling.temperature = 2;
  request_.sampling.top_k = 0;
  request_.sampling.top_p = 1;
  request_.n_predict = -1;
  bool replaced = false;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    request_.sampling.seed = seed;
    std::string streamed;
    GenerateEvents events;
    events.on_text = [&](std::string_view text) {
      EXPECT_FALSE(text.empty());
      EXPECT_TRUE(is_whole_utf8(text));
      streamed += text;
    };
    const GenerateResult result = run(request_, events);
    EXPECT_EQ(streamed, result.text);
    replaced = replaced || result.text.find("\xEF\xBF\xBD") != std::string::npos;
  }
  EXPECT_TRUE(replaced) << "single bytes above 127 were sampled, so that some formed no character";
}

TEST_F(Generate, EndsCleanlyWhenCancelledWhileDecoding) {
  const GenerateResult whole = run(request_);
  std::atomic<bool> cancel = false;
  request_.cancel = &cancel;
  size_t pieces = 0;
  GenerateEvents events;
  events.on_text = [&](std::string_view) { cancel = ++pieces == 3; };
  const GenerateResult result = run(request_, events);
  EXPECT_EQ(result.finish, FinishReason::kCancelled);
  ASSERT_LT(result.tokens.size(), whole.tokens.size());
  EXPECT_TRUE(std::equal(result.tokens.begin(), result.tokens.end(), whole.tokens.begin()));
  EXPECT_TRUE(whole.text.starts_with(result.text));
  EXPECT_EQ(length_, 12 + static_cast<int64_t>(result.tokens.size()) - 1);
  cancel = false;
  EXPECT_EQ(run(request_).tokens, whole.tokens);
}

TEST_F(Generate, EndsCleanlyWhenCancelledBeforeTheFirstToken) {
  std::atomic<bool> cancel = true;
  request_.cancel = &cancel;
  const GenerateResult result = run(request_);
  EXPECT_EQ(result.finish, FinishReason::kCancelled);
  EXPECT_TRUE(result.tokens.empty());
  EXPECT_EQ(length_, 0);
}

TEST_F(Generate, ReportsItsTimes) {
  std::vector<std::pair<size_t, size_t>> progress;
  GenerateEvents events;
  events.on_prefill = [&](size_t done, size_t total) { progress.emplace_back(done, total); };
  const GenerateResult result = run(request_, events);
  EXPECT_GT(result.timings.prefill_s, 0);
  EXPECT_GE(result.timings.first_token_s, result.timings.prefill_s);
  EXPECT_GT(result.timings.decode_s, 0);
  EXPECT_EQ(progress, (std::vector<std::pair<size_t, size_t>>{{12, 12}}));
}

TEST(FinishReason, HasANameForEach) {
  EXPECT_EQ(finish_reason_name(FinishReason::kStop), "stop");
  EXPECT_EQ(finish_reason_name(FinishReason::kLength), "length");
  EXPECT_EQ(finish_reason_name(FinishReason::kContext), "context");
  EXPECT_EQ(finish_reason_name(FinishReason::kCancelled), "cancelled");
}

}  // namespace
}  // namespace minfer::test
