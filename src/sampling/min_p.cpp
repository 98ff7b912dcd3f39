// Min-p keeps a candidate when its probability is at least p times that of the most likely one, that is, when its logit
// is at least max + ln(p).
#include <limits>

#include "base/exact_math.h"
#include "sampling/sampler.h"
#include "sampling/softmax.h"

namespace minfer::sampling {
namespace {

class MinP final : public Sampler {
 public:
  explicit MinP(float p) : log_p_(exact_logf(p)) {}

  void apply(std::span<float> logits, const StepContext& /*context*/) const override {
    const float limit = max_logit(logits) + log_p_;
    for (float& v : logits) {
      if (v < limit) v = -std::numeric_limits<float>::infinity();
    }
  }

 private:
  float log_p_;
};

}  // namespace

std::unique_ptr<Sampler> make_min_p(const SamplingParams& params) {
  if (params.min_p <= 0.0F) return nullptr;
  return std::make_unique<MinP>(params.min_p);
}

}  // namespace minfer::sampling
