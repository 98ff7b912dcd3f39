#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"
#include "backend/cpu/kernels/simd/silu_of.h"

namespace minfer::cpu::MINFER_ISA {

void swiglu(const float* gate, const float* up, float* y, int64_t n) {
  for_each_vector(
      n, [=](int64_t i, auto lanes) __attribute__((always_inline)) {
        lanes.store(y + i, Isa::mul(silu_of(lanes.load(gate + i)), lanes.load(up + i)));
      });
}

}  // namespace minfer::cpu::MINFER_ISA
