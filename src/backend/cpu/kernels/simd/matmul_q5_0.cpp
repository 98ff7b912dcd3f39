#include "backend/cpu/kernels/simd/block_header.h"
#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q5_0 {
  static constexpr int kElements = 32;
  static constexpr int kHeaderBytes = 32;
  static constexpr int kCodeBytes = 320;
  static constexpr int kBits = 5;
  static constexpr int kOffset = 16;
  static constexpr Fold kFold = Fold::kScale;
  static constexpr int kUnroll = 1;

  using Header = ScaleHeader;

  // The fifth bits lie in front of the nibbles: bit `group` of each byte.
  template <int, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int) {
    return Isa::or_where_bit(split_nibbles<group>(codes + 64), code_vector(codes, 0), Isa::set_i8(1 << group),
                             Isa::set_i8(16));
  }
};

}  // namespace

void matmul_q5_0(const MatmulArgs& args) {
  matmul_quantized<Q5_0>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
