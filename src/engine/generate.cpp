#include "engine/generate.h"

#include <chrono>
#include <limits>

#include "base/error.h"
#include "base/float_state.h"
#include "engine/logit_hash.h"
#include "engine/stop_matcher.h"
#include "sampling/chain.h"

namespace minfer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The state of one answer.
class Answer {
 public:
  Answer(Engine& engine, const Tokenizer& tokenizer, SequenceId sequence, const GenerateRequest& request,
         const GenerateEvents& events)
      : engine_(engine),
        tokenizer_(tokenizer),
        sequence_(sequence),
        request_(request),
        events_(events),
        chain_(request.sampling),
        detokenizer_(tokenizer, ControlOutput::kHide),
        stop_(request.stop) {}

  GenerateResult run() {
    const FloatState float_state;
    const Clock::time_point start = Clock::now();
    result_.n_prompt = static_cast<int64_t>(request_.prompt.size());
    try {
      prefill();
      result_.timings.prefill_s = seconds_since(start);
      decode(start);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCancelled) throw;
      result_.finish = FinishReason::kCancelled;
    }
    flush();
    if (request_.hash_logits) result_.logit_hash = hash_.text();
    return std::move(result_);
  }

 private:
  void prefill() {
    std::vector<StepRow> rows;
    for (TokenId token : request_.prompt) rows.push_back({sequence_, token, false});
    rows.back().wants_logits = request_.n_predict != 0;
    engine_.step(rows, sink(), request_.cancel, events_.on_prefill);
    chain_.accept_prompt(request_.history);
    chain_.accept_prompt(request_.prompt);
  }

  void decode(Clock::time_point start) {
    const int64_t limit = request_.n_predict < 0 ? std::numeric_limits<int64_t>::max() : request_.n_predict;
    result_.finish = FinishReason::kLength;
    Clock::time_point first_token;
    for (int64_t n = 0; n < limit; ++n) {
      const TokenId token = choose();
      if (n == 0) {
        first_token = Clock::now();
        result_.timings.first_token_s = seconds_since(start);
      }
      result_.timings.decode_s = seconds_since(first_token);
      if (!take(token) || n + 1 == limit) return;
      if (engine_.length(sequence_) == engine_.n_ctx()) {
        result_.finish = FinishReason::kContext;
        return;
      }
      const StepRow row{sequence_, token, true};
      engine_.step({&row, 1}, sink(), request_.cancel);
      result_.timings.decode_s = seconds_since(first_token);
    }
  }

  LogitsSink sink() {
    return [this](size_t, std::span<const float> logits) { logits_.assign(logits.begin(), logits.end()); };
  }

  TokenId choose() {
    if (request_.hash_logits) hash_.add(logits_);
    // Rows that pad the output matrix stand for no token.
    for (size_t id = tokenizer_.n_vocab(); id < logits_.size(); ++id) {
      logits_[id] = -std::numeric_limits<float>::infinity();
    }
    if (request_.ignore_eos) {
      for (TokenId id : tokenizer_.end_of_generation()) {
        if (static_cast<size_t>(id) < logits_.size()) {
          logits_[static_cast<size_t>(id)] = -std::numeric_limits<float>::infinity();
        }
      }
    }
    return *chain_.sample(logits_);
  }

  // Adds a token to the answer; false when it ends it.
  bool take(TokenId token) {
    if (tokenizer_.is_end_of_generation(token) && !request_.ignore_eos) {
      result_.finish = FinishReason::kStop;
      return false;
    }
    chain_.accept(token);
    result_.tokens.push_back(token);
    show(stop_.push(detokenizer_.push(token)));
    if (!stop_.matched()) return true;
    result_.finish = FinishReason::kStop;
    result_.stop = stop_.match();
    return false;
  }

  void flush() {
    show(stop_.push(detokenizer_.finish()));
    if (!stop_.matched()) show(stop_.finish());
  }

  void show(const std::string& text) {
    if (text.empty()) return;
    result_.text += text;
    if (events_.on_text) events_.on_text(text);
  }

  Engine& engine_;
  const Tokenizer& tokenizer_;
  SequenceId sequence_;
  const GenerateRequest& request_;
  const GenerateEvents& events_;
  sampling::Chain chain_;
  StreamDetokenizer detokenizer_;
  StopMatcher stop_;
  LogitHash hash_;
  std::vector<float> logits_;  // [n_vocab] of the last row
  GenerateResult result_;
};

}  // namespace

std::string_view finish_reason_name(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop: return "stop";
    case FinishReason::kLength: return "length";
    case FinishReason::kContext: return "context";
    case FinishReason::kCancelled: return "cancelled";
  }
  return "unknown";
}

GenerateResult generate(Engine& engine, const Tokenizer& tokenizer, SequenceId sequence, const GenerateRequest& request,
                        const GenerateEvents& events) {
  if (request.prompt.empty()) fail(ErrorCode::kInvalidArgument, "the prompt is empty: there is nothing to continue");
  if (static_cast<int64_t>(request.history.size()) != engine.length(sequence)) {
    fail(ErrorCode::kInvalidArgument, "the history has {} tokens, but the sequence holds {}", request.history.size(),
         engine.length(sequence));
  }
  try {
    engine.check_fits(sequence, static_cast<int64_t>(request.prompt.size()));
  } catch (const Error& error) {
    throw error.with_context(fmt::format("the prompt has {} tokens", request.prompt.size()));
  }
  return Answer(engine, tokenizer, sequence, request, events).run();
}

}  // namespace minfer
