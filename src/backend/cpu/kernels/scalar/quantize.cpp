#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu::scalar {

void quantize(const float* x, ActBlock* blocks, int64_t n) {
  quantize_act_row(x, blocks, n);
}

}  // namespace minfer::cpu::scalar
