// Sums, products and gates, element by element.
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/exact_math.h"

namespace minfer::cpu::scalar {
namespace {

float silu_of(float x) {
  return x / (1.0F + exact_expf(-x));
}

}  // namespace

void add(const float* a, const float* b, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = a[i] + b[i];
}

void mul(const float* a, const float* b, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = a[i] * b[i];
}

void silu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = silu_of(x[i]);
}

void swiglu(const float* gate, const float* up, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = silu_of(gate[i]) * up[i];
}

}  // namespace minfer::cpu::scalar
