// Top-p keeps the smallest set of most likely candidates whose cumulative probability exceeds p (Holtzman et al. 2019).
#include "sampling/top_p.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sampling/sampler.h"
#include "sampling/softmax.h"

namespace minfer::sampling {
namespace {

class TopP final : public Sampler {
 public:
  explicit TopP(float p) : p_(p) {}

  void apply(std::span<float> logits, const StepContext& /*context*/) const override {
    std::vector<uint32_t> kept = nucleus(logits, p_);
    std::sort(kept.begin(), kept.end());
    auto next = kept.begin();
    for (size_t i = 0; i < logits.size(); ++i) {
      if (next != kept.end() && *next == i) {
        ++next;
      } else {
        logits[i] = -std::numeric_limits<float>::infinity();
      }
    }
  }

 private:
  float p_;
};

}  // namespace

std::vector<uint32_t> nucleus(std::span<const float> logits, float p) {
  std::vector<float> weights(logits.size());
  const float target = p * softmax_weights(logits, weights);
  std::vector<uint32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](uint32_t a, uint32_t b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  };
  // A nucleus is nearly always small, so the order is only made as far as it is read, in growing pieces.
  float mass = 0.0F;
  size_t sorted = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == sorted) {
      sorted = std::min(order.size(), std::max<size_t>(256, 8 * sorted));
      const auto at = [&](size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
      if (sorted < order.size()) std::nth_element(at(i), at(sorted), order.end(), before);
      std::sort(at(i), at(sorted), before);
    }
    mass += weights[order[i]];
    if (mass > target) {
      order.resize(i + 1);
      break;
    }
  }
  return order;
}

std::unique_ptr<Sampler> make_top_p(const SamplingParams& params) {
  if (params.top_p <= 0.0F || params.top_p >= 1.0F) return nullptr;
  return std::make_unique<TopP>(params.top_p);
}

}  // namespace minfer::sampling
