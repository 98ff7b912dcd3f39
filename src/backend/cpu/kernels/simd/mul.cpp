#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {

void mul(const float* a, const float* b, float* y, int64_t n) {
  for_each_vector(
      n, [=](int64_t i, auto lanes)
             __attribute__((always_inline)) { lanes.store(y + i, Isa::mul(lanes.load(a + i), lanes.load(b + i))); });
}

}  // namespace minfer::cpu::MINFER_ISA
