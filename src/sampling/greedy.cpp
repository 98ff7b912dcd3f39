#include "sampling/greedy.h"

namespace minfer::sampling {

size_t greedy(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 1; i < logits.size(); ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  return best;
}

}  // namespace minfer::sampling
