#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_float.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct F16 {
  static constexpr int kBytes = 2;
  [[gnu::always_inline]] static F load(const void* p) { return Isa::load_f16(p); }
};

}  // namespace

void matmul_f16(const MatmulArgs& args) {
  matmul_float<F16>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
