#include "backend/cpu/kernels/scalar/matmul_float.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"

namespace minfer::cpu::scalar {

void matmul_bf16(const MatmulArgs& args) {
  matmul_float<uint16_t>(args, bf16_to_f32);
}

}  // namespace minfer::cpu::scalar
