#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {

void attention_finish(AttentionPartial& all, int head_dim) {
  const F sum = Isa::set(all.sum);
  float* o = all.o;
  for_each_vector(
      head_dim, [=](int64_t i, auto lanes)
                    __attribute__((always_inline)) { lanes.store(o + i, Isa::div(lanes.load(o + i), sum)); });
}

}  // namespace minfer::cpu::MINFER_ISA
