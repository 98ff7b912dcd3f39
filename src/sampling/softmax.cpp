#include "sampling/softmax.h"

#include <array>

#include "base/exact_math.h"

namespace minfer::sampling {

float max_logit(std::span<const float> logits) {
  float best = logits[0];
  for (const float v : logits) best = v > best ? v : best;
  return best;
}

float softmax_weights(std::span<const float> logits, std::span<float> weights) {
  const float max = max_logit(logits);
  std::array<float, 16> lanes{};
  for (size_t i = 0; i < logits.size(); ++i) {
    weights[i] = exact_expf(logits[i] - max);
    lanes[i % 16] += weights[i];
  }
  for (size_t width = 8; width > 0; width /= 2) {
    for (size_t j = 0; j < width; ++j) lanes[j] += lanes[j + width];
  }
  return lanes[0];
}

}  // namespace minfer::sampling
