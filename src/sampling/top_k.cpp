// Top-k keeps every logit that is at least the k-th largest one; ties at the border survive.
#include "sampling/top_k.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "sampling/sampler.h"

namespace minfer::sampling {
namespace {

class TopK final : public Sampler {
 public:
  explicit TopK(size_t k) : k_(k) {}

  void apply(std::span<float> logits, const StepContext& /*context*/) const override {
    if (k_ >= logits.size()) return;
    const float limit = kth_largest(logits, k_);
    for (float& v : logits) {
      if (v < limit) v = -std::numeric_limits<float>::infinity();
    }
  }

 private:
  size_t k_;
};

// Leaves the k largest values of `values` and returns the smallest of them.
float keep_largest(std::vector<float>& values, size_t k) {
  const auto kth = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(values.begin(), kth, values.end(), std::greater<>());
  values.resize(k);
  return values.back();
}

}  // namespace

float kth_largest(std::span<const float> logits, size_t k) {
  const size_t capacity = 2 * k + 1024;
  std::vector<float> largest;
  largest.reserve(std::min(capacity, logits.size()));
  float limit = -std::numeric_limits<float>::infinity();
  for (const float v : logits) {
    if (v < limit) continue;
    largest.push_back(v);
    if (largest.size() == capacity) limit = keep_largest(largest, k);
  }
  return keep_largest(largest, k);
}

std::unique_ptr<Sampler> make_top_k(const SamplingParams& params) {
  if (params.top_k <= 0) return nullptr;
  return std::make_unique<TopK>(static_cast<size_t>(params.top_k));
}

}  // namespace minfer::sampling
