// Top-k: the value that a logit must reach to stay.
#pragma once

#include <cstddef>
#include <span>

namespace minfer::sampling {

// The k-th largest of `logits` [n]; needs 1 <= k <= n and no NaN. One pass over the logits and a small buffer.
float kth_largest(std::span<const float> logits, size_t k);

}  // namespace minfer::sampling
