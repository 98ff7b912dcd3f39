#include <cmath>

#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu::scalar {

// y0 = fma(x0, c, -(x1·s)); y1 = fma(x0, s, x1·c)
void rope(const float* x, const float* angles, RopePairs pairs, float* y, int head_dim) {
  const int half = head_dim / 2;
  for (int i = 0; i < half; ++i) {
    const int a = pairs == RopePairs::kHalves ? i : 2 * i;
    const int b = pairs == RopePairs::kHalves ? i + half : 2 * i + 1;
    const float c = angles[i];
    const float s = angles[half + i];
    const float x0 = x[a];
    const float x1 = x[b];
    y[a] = std::fmaf(x0, c, -(x1 * s));
    y[b] = std::fmaf(x0, s, x1 * c);
  }
}

}  // namespace minfer::cpu::scalar
