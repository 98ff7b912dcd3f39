// Repeat, frequency and presence penalties for the distinct tokens of the sequence's last `repeat_last_n` tokens.
#include "sampling/penalties.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "sampling/sampler.h"

namespace minfer::sampling {
namespace {

class Penalties final : public Sampler {
 public:
  explicit Penalties(const SamplingParams& params)
      : last_n_(params.repeat_last_n),
        rules_{params.repeat_penalty, params.frequency_penalty, params.presence_penalty} {}

  void apply(std::span<float> logits, const StepContext& context) const override {
    std::span<const int32_t> window = context.history;
    if (last_n_ >= 0) window = window.last(std::min(window.size(), static_cast<size_t>(last_n_)));
    std::vector<int32_t> sorted(window.begin(), window.end());
    std::sort(sorted.begin(), sorted.end());
    for (size_t begin = 0; begin < sorted.size();) {
      const int32_t token = sorted[begin];
      size_t end = begin;
      while (end < sorted.size() && sorted[end] == token) ++end;
      if (token >= 0 && static_cast<size_t>(token) < logits.size()) {
        float& logit = logits[static_cast<size_t>(token)];
        logit = penalize(logit, end - begin, rules_);
      }
      begin = end;
    }
  }

 private:
  int32_t last_n_;
  PenaltyRules rules_;
};

}  // namespace

float penalize(float logit, size_t count, const PenaltyRules& rules) {
  constexpr float kMax = std::numeric_limits<float>::max();
  if (logit < -kMax) return logit;
  float value = logit - static_cast<float>(count) * rules.frequency;
  value -= rules.presence;
  if (rules.repeat > 1.0F) value = value > 0.0F ? value / rules.repeat : value * rules.repeat;
  return std::clamp(value, -kMax, kMax);
}

std::unique_ptr<Sampler> make_penalties(const SamplingParams& params) {
  const bool any = params.repeat_penalty > 1.0F || params.frequency_penalty != 0.0F || params.presence_penalty != 0.0F;
  if (!any || params.repeat_last_n == 0) return nullptr;
  return std::make_unique<Penalties>(params);
}

}  // namespace minfer::sampling
