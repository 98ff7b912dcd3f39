#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"
#include "backend/cpu/kernels/simd/silu_of.h"

namespace minfer::cpu::MINFER_ISA {

void silu(const float* x, float* y, int64_t n) {
  for_each_vector(
      n, [=](int64_t i, auto lanes) __attribute__((always_inline)) { lanes.store(y + i, silu_of(lanes.load(x + i))); });
}

}  // namespace minfer::cpu::MINFER_ISA
