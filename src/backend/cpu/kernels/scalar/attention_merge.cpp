#include "backend/cpu/kernels/scalar/reduce.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/exact_math.h"

namespace minfer::cpu::scalar {

// M = max(m, m'); l = fma(l', exp(m'-M), l·exp(m-M)); o = fma(o', exp(m'-M), o·exp(m-M)).
void attention_merge(const AttentionPartial& part, AttentionPartial& all, int head_dim) {
  const float m = max_of(all.max, part.max);
  const float keep = exact_expf(all.max - m);
  const float take = exact_expf(part.max - m);
  all.sum = std::fmaf(part.sum, take, all.sum * keep);
  for (int d = 0; d < head_dim; ++d) all.o[d] = std::fmaf(part.o[d], take, all.o[d] * keep);
  all.max = m;
}

}  // namespace minfer::cpu::scalar
