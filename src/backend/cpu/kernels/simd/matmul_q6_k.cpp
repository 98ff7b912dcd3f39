#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q6_K {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 288;
  static constexpr int kCodeBytes = 3072;
  static constexpr int kBits = 6;
  static constexpr int kOffset = 32;
  static constexpr Fold kFold = Fold::kPer16;
  static constexpr int kUnroll = 4;

  struct Header {
    F d;
    const uint8_t* scales;  // i8 [16][16 rows], from this lane on

    [[gnu::always_inline]] Header(const uint8_t* header, int lane)
        : d(Isa::load_f16(header + 2 * lane)), scales(header + 32 + lane) {}
    [[gnu::always_inline]] Part part(int p) const {
      return {d, Isa::zero(), {Isa::load_i8(scales + 32 * p), Isa::load_i8(scales + 32 * p + 16)}};
    }
  };

  // Two high bits of 128 elements in 32 bytes, then the nibbles.
  template <int part, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    const I low = nibbles<(part >= 2)>(code_vector(codes + 1024, chunk * 16 + part % 2 * 8 + group));
    const I high = two_bits<2 * part>(code_vector(codes, chunk * 8 + group));
    return Isa::or_bits(low, Isa::template shift_left16<4>(high));
  }
};

}  // namespace

void matmul_q6_k(const MatmulArgs& args) {
  matmul_quantized<Q6_K>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
