// What the fused norms share: one row, normalized and rounded while it is in the cache.
#pragma once

#include <fmt/format.h>

#include "backend/cpu/node_run.h"
#include "backend/reason.h"

namespace minfer::cpu {

inline constexpr int64_t kMaxFusedNorm = 16384;  // bounds the workers' stack

inline Support supports_fused_norm(int64_t n) {
  if (n <= kMaxFusedNorm) return {};
  return {Reason::kShape, fmt::format("rows of {} values are above {}", n, kMaxFusedNorm)};
}

// blocks = quantize(rms_norm(x)); n at most kMaxFusedNorm.
inline void norm_and_quantize(const KernelTable& kernels, const float* x, const float* gain, float eps,
                              ActBlock* blocks, int64_t n) {
  float normalized[kMaxFusedNorm];
  kernels.rms_norm.run(x, gain, eps, normalized, n);
  kernels.quantize.run(normalized, blocks, n);
}

}  // namespace minfer::cpu
