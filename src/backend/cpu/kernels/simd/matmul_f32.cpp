#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_float.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct F32 {
  static constexpr int kBytes = 4;
  [[gnu::always_inline]] static F load(const void* p) { return Isa::load(static_cast<const float*>(p)); }
};

}  // namespace

void matmul_f32(const MatmulArgs& args) {
  matmul_float<F32>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
