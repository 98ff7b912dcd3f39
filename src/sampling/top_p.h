// Top-p (nucleus): which candidates make up the most likely mass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minfer::sampling {

// Indices into `logits` [n], most likely first (lower index on ties): the smallest prefix whose share of the softmax
// exceeds p. At least one.
std::vector<uint32_t> nucleus(std::span<const float> logits, float p);

}  // namespace minfer::sampling
