#include "backend/cpu/kernels/scalar/reduce.h"
#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu::scalar {

// r = 1 / sqrt(Σx² / n + eps); y = (x·r)·gain
void rms_norm(const float* x, const float* gain, float eps, float* y, int64_t n) {
  const float mean = sum_of_squares(x, n) / static_cast<float>(n);
  const float r = 1.0F / std::sqrt(mean + eps);
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] * r) * gain[i];
}

}  // namespace minfer::cpu::scalar
