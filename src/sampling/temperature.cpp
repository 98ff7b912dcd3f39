// Temperature divides the logits' distance from the largest one, so that no finite logit can overflow.
#include "sampling/sampler.h"
#include "sampling/softmax.h"

namespace minfer::sampling {
namespace {

class Temperature final : public Sampler {
 public:
  explicit Temperature(float temperature) : temperature_(temperature) {}

  void apply(std::span<float> logits, const StepContext& /*context*/) const override {
    const float max = max_logit(logits);
    for (float& v : logits) v = (v - max) / temperature_;
  }

 private:
  float temperature_;
};

}  // namespace

std::unique_ptr<Sampler> make_temperature(const SamplingParams& params) {
  if (params.temperature == 1.0F || params.temperature < kGreedyTemperature) return nullptr;
  return std::make_unique<Temperature>(params.temperature);
}

}  // namespace minfer::sampling
