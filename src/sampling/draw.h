// The counter-based random choice: the number drawn for a position depends on the position, not on what was drawn
// before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace minfer::sampling {

struct DrawKey {
  uint64_t seed = 0;
  uint32_t choice_index = 0;  // which of the n answers of one request
  uint32_t position = 0;      // of the token to be drawn, in its sequence
};

// Separates the samplers that draw at the same position.
enum class DrawStream : uint32_t { kToken = 0 };

// In [0, 1), a multiple of 2^-24, from Philox4x32-10 (Salmon et al. 2011).
float uniform(const DrawKey& key, DrawStream stream);

// Index i with probability softmax(logits)[i], by inversion at `u` in [0, 1): the first i whose cumulative weight
// exceeds u times the total. `logits` [n], at least one, none NaN; an entry of weight zero is never chosen.
size_t draw(std::span<const float> logits, float u);

}  // namespace minfer::sampling
