#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q2_K {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 320;
  static constexpr int kCodeBytes = 1024;
  static constexpr int kBits = 2;
  static constexpr int kOffset = 0;
  static constexpr Fold kFold = Fold::kPer16AndMinimums;
  static constexpr int kUnroll = 4;

  struct Header {
    F d;
    F minus_dmin;
    const uint8_t* scales;  // scale | minimum << 4: [16][16 rows], from this lane on

    [[gnu::always_inline]] Header(const uint8_t* header, int lane)
        : d(Isa::load_f16(header + 2 * lane)),
          minus_dmin(Isa::negate(Isa::load_f16(header + 32 + 2 * lane))),
          scales(header + 64 + lane) {}

    [[gnu::always_inline]] Part part(int p) const {
      const I low = Isa::load_u8(scales + 32 * p);
      const I high = Isa::load_u8(scales + 32 * p + 16);
      const I four_bits = Isa::set_i32(15);
      const I minimums = Isa::or_bits(Isa::shift_right32(low, 4), Isa::shift_left32(Isa::shift_right32(high, 4), 16));
      return {d, minus_dmin, {Isa::and_bits(low, four_bits), Isa::and_bits(high, four_bits)}, minimums};
    }
  };

  template <int part, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    return two_bits<2 * part>(code_vector(codes, chunk * 8 + group));
  }
};

}  // namespace

void matmul_q2_k(const MatmulArgs& args) {
  matmul_quantized<Q2_K>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
