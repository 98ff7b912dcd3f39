// Teacher-forced evaluation: the logits at every position of a given token sequence.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace minfer {

// Hears of the logits [n_vocab] behind token `position`. The span is valid during the call.
using EvaluateSink = std::function<void(size_t position, std::span<const float> logits)>;

// Runs the tokens through a sequence of their own. Throws kInvalidArgument for no tokens or too many, and what
// Engine::step throws.
void evaluate(Engine& engine, std::span<const TokenId> tokens, const EvaluateSink& sink,
              const std::atomic<bool>* cancel = nullptr, const StepProgress& progress = nullptr);

// -ln p(token), in f64, from the logits before it.
double negative_log_likelihood(std::span<const float> logits, TokenId token);

// The `n` likeliest tokens with their natural log-probabilities, best first; the lower id first on ties.
std::vector<std::pair<TokenId, double>> top_tokens(std::span<const float> logits, size_t n);

}  // namespace minfer
