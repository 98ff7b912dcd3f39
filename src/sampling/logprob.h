// Log-probabilities under the model's own distribution, before any sampler touched it.
#pragma once

#include <cstdint>
#include <span>

namespace minfer::sampling {

// ln softmax(logits)[token]. `logits` [n_vocab] are the finite rows that the model gave; throws kInvalidArgument when
// `token` is outside of them.
float token_logprob(std::span<const float> logits, int32_t token);

}  // namespace minfer::sampling
