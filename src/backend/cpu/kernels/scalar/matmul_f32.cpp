#include "backend/cpu/kernels/scalar/matmul_float.h"
#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu::scalar {

void matmul_f32(const MatmulArgs& args) {
  matmul_float<float>(args, [](float w) { return w; });
}

}  // namespace minfer::cpu::scalar
