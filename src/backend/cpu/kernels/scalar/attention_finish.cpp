#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu::scalar {

void attention_finish(AttentionPartial& all, int head_dim) {
  for (int d = 0; d < head_dim; ++d) all.o[d] = all.o[d] / all.sum;
}

}  // namespace minfer::cpu::scalar
