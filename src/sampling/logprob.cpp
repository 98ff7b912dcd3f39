#include "sampling/logprob.h"

#include <vector>

#include "base/error.h"
#include "base/exact_math.h"
#include "sampling/softmax.h"

namespace minfer::sampling {

float token_logprob(std::span<const float> logits, int32_t token) {
  if (token < 0 || static_cast<size_t>(token) >= logits.size()) {
    fail(ErrorCode::kInvalidArgument, "[sampler] token id {} is outside the vocabulary (0..{})", token, logits.size());
  }
  std::vector<float> weights(logits.size());
  const float sum = softmax_weights(logits, weights);
  return (logits[static_cast<size_t>(token)] - max_logit(logits)) - exact_logf(sum);
}

}  // namespace minfer::sampling
