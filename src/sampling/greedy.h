// The greedy choice.
#pragma once

#include <cstddef>
#include <span>

namespace minfer::sampling {

// Index of the largest of `logits` [n], the lowest one on ties; n is at least 1, no NaN.
size_t greedy(std::span<const float> logits);

}  // namespace minfer::sampling
