// Generating text: prefill of a prompt, then one token after the other until something ends it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "sampling/params.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {

struct GenerateRequest {
  std::vector<TokenId> history;  // what the sequence holds already: penalties see it, draws are keyed behind it
  std::vector<TokenId> prompt;   // what is appended to it
  sampling::SamplingParams sampling;
  int64_t n_predict = 512;        // tokens at most; -1: until the context ends; 0: only the prefill
  std::vector<std::string> stop;  // texts that end the answer; they are not part of it
  bool ignore_eos = false;        // end-of-generation tokens are never chosen
  bool hash_logits = false;
  const std::atomic<bool>* cancel = nullptr;
};

enum class FinishReason {
  kStop,       // an end-of-generation token or a stop string
  kLength,     // n_predict tokens
  kContext,    // the context is full
  kCancelled,  // the caller's flag
};

// "stop", "length", "context", "cancelled".
std::string_view finish_reason_name(FinishReason reason);

struct GenerateTimings {
  double prefill_s = 0;
  double decode_s = 0;       // behind the first token
  double first_token_s = 0;  // from the call to the first token
};

struct GenerateResult {
  std::string text;             // whole characters; the stop string is cut off
  std::vector<TokenId> tokens;  // generated, without the end token
  FinishReason finish = FinishReason::kStop;
  std::string stop;  // the stop string that was met
  int64_t n_prompt = 0;
  GenerateTimings timings;
  std::string logit_hash;  // of the rows that were sampled from; empty unless asked for
};

struct GenerateEvents {
  std::function<void(std::string_view text)> on_text;  // whole characters, as they are certain
  StepProgress on_prefill;
};

// Appends the prompt and the answer to `sequence`, which may hold an earlier part of the conversation (`history`).
// Throws kInvalidArgument for an empty prompt, a history of another length than the sequence, and what
// sampling::validate refuses; kInvalidArgument or kOutOfMemory, both numbers named, for a prompt that does not fit;
// what Engine::step throws, kCancelled excepted.
GenerateResult generate(Engine& engine, const Tokenizer& tokenizer, SequenceId sequence, const GenerateRequest& request,
                        const GenerateEvents& events);

}  // namespace minfer
