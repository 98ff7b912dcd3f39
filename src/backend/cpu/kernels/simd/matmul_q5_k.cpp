#include "backend/cpu/kernels/simd/block_header.h"
#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q5_K {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 256;
  static constexpr int kCodeBytes = 2560;
  static constexpr int kBits = 5;
  static constexpr int kOffset = 0;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;
  static constexpr int kUnroll = 2;

  using Header = KScalesHeader;

  // The fifth bits lie in front of the nibbles: bit p of each byte for part p.
  template <int part, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    const I low = nibbles<part == 1>(code_vector(codes + 512, chunk * 8 + group));
    return Isa::or_where_bit(low, code_vector(codes, group), Isa::set_i8(1 << (2 * chunk + part)), Isa::set_i8(16));
  }
};

}  // namespace

void matmul_q5_k(const MatmulArgs& args) {
  matmul_quantized<Q5_K>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
