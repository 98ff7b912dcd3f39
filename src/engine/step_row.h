// One row of a step, and what comes out of it.
#pragma once

#include <functional>
#include <span>

#include "runtime/kv_store.h"
#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

// The next token of a sequence. Rows of one sequence stand in their order; several sequences may be mixed.
struct StepRow {
  SequenceId sequence = 0;
  TokenId token = 0;
  bool wants_logits = false;
};

// Hears of the logits [n_vocab] of each row that wants them, in the rows' order. The span is valid during the call.
using LogitsSink = std::function<void(size_t row, std::span<const float> logits)>;

// Hears after each chunk how many rows are done.
using StepProgress = std::function<void(size_t done, size_t total)>;

}  // namespace minfer
