#include "backend/cpu/kernels/simd/exact_exp.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {

// M = max(m, m'); l = fma(l', exp(m'-M), l·exp(m-M)); o = fma(o', exp(m'-M), o·exp(m-M)).
void attention_merge(const AttentionPartial& part, AttentionPartial& all, int head_dim) {
  const float m = all.max > part.max ? all.max : part.max;
  const F keep = exact_exp(Isa::set(all.max - m));
  const F take = exact_exp(Isa::set(part.max - m));
  all.sum = Isa::first_lane(Isa::fma(Isa::set(part.sum), take, Isa::mul(Isa::set(all.sum), keep)));
  all.max = m;
  const float* from = part.o;
  float* o = all.o;
  for_each_vector(
      head_dim, [=](int64_t i, auto lanes) __attribute__((always_inline)) {
        lanes.store(o + i, Isa::fma(lanes.load(from + i), take, Isa::mul(lanes.load(o + i), keep)));
      });
}

}  // namespace minfer::cpu::MINFER_ISA
