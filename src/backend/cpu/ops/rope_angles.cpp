#include "graph/ops/rope_angles.h"

#include <vector>

#include "backend/cpu/ops/op_table.h"
#include "base/exact_math.h"

namespace minfer::cpu {
namespace {

// freq_i = float(exp(-(2i/n)·log(base)) / factor_i)
std::vector<float> frequencies(const NodeRun& r) {
  const auto& p = params_as<RopeAnglesParams>(*r.node);
  const double log_base = exact_log(p.base);
  std::vector<float> freq(static_cast<size_t>(p.head_dim / 2));
  for (size_t i = 0; i < freq.size(); ++i) {
    const double exponent = static_cast<double>(2 * i) / static_cast<double>(p.head_dim);
    const float factor = r.node->weights.empty() ? p.linear_factor : r.weight_f32(0)[i];
    freq[i] = static_cast<float>(exact_exp(-exponent * log_base) / static_cast<double>(factor));
  }
  return freq;
}

void run(const NodeRun& r, Share share) {
  const auto [begin, end] = share.of(r.rows);
  if (begin == end) return;
  const std::vector<float> freq = frequencies(r);
  const auto half = static_cast<int64_t>(freq.size());
  for (int64_t row = begin; row < end; ++row) {
    const double position = r.input_i32(0)[row];
    float* out = r.output_f32(0) + row * 2 * half;
    for (int64_t i = 0; i < half; ++i) {
      const double angle = position * static_cast<double>(freq[static_cast<size_t>(i)]);
      out[i] = static_cast<float>(exact_cos(angle));
      out[half + i] = static_cast<float>(exact_sin(angle));
    }
  }
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable&) {
  return {"rope_angles", "scalar"};
}

}  // namespace

const OpImpl& impl_rope_angles() {
  static const OpImpl impl{takes_always, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
