#include "backend/cpu/kernels/scalar/scalar.h"
#include "backend/cpu/kernels/scalar/silu_of.h"

namespace minfer::cpu::scalar {

void silu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = silu_of(x[i]);
}

}  // namespace minfer::cpu::scalar
