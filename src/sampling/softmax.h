// Softmax weights and their sum in the fixed order that docs/numerics.md prescribes.
#pragma once

#include <span>

namespace minfer::sampling {

// The largest of `logits` [n]; n is at least 1, no NaN.
float max_logit(std::span<const float> logits);

// weights[i] = exp(logits[i] - max), both [n]. Returns their sum, added in 16 lanes (element i in lane i mod 16).
// `weights` may be `logits` itself.
float softmax_weights(std::span<const float> logits, std::span<float> weights);

}  // namespace minfer::sampling
