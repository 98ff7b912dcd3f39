#include "backend/cpu/kernels/simd/block_header.h"
#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q4_1 {
  static constexpr int kElements = 32;
  static constexpr int kHeaderBytes = 64;
  static constexpr int kCodeBytes = 256;
  static constexpr int kBits = 4;
  static constexpr int kOffset = 0;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;
  static constexpr int kUnroll = 1;

  using Header = ScaleMinimumHeader;

  template <int, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int) {
    return split_nibbles<group>(codes);
  }
};

}  // namespace

void matmul_q4_1(const MatmulArgs& args) {
  matmul_quantized<Q4_1>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
