#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_float.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct BF16 {
  static constexpr int kBytes = 2;
  [[gnu::always_inline]] static F load(const void* p) { return Isa::load_bf16(p); }
};

}  // namespace

void matmul_bf16(const MatmulArgs& args) {
  matmul_float<BF16>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
