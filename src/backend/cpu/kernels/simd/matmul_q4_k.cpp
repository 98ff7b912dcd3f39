#include "backend/cpu/kernels/simd/block_header.h"
#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q4_K {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 256;
  static constexpr int kCodeBytes = 2048;
  static constexpr int kBits = 4;
  static constexpr int kOffset = 0;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;
  static constexpr int kUnroll = 2;

  using Header = KScalesHeader;

  template <int part, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    return nibbles<part == 1>(code_vector(codes, chunk * 8 + group));
  }
};

}  // namespace

void matmul_q4_k(const MatmulArgs& args) {
  matmul_quantized<Q4_K>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
