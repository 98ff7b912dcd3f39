#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct IQ4_XS {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 128;
  static constexpr int kCodeBytes = 2048;
  static constexpr int kBits = 8;
  static constexpr int kOffset = Isa::kSignedOffset;
  static constexpr Fold kFold = Fold::kScale;
  static constexpr int kUnroll = 1;

  struct Header {
    F d;
    I high;              // two bits for each of eight scales
    const uint8_t* low;  // nibbles of the scales, [4][16 rows], from this lane on

    [[gnu::always_inline]] Header(const uint8_t* header, int lane)
        : d(Isa::load_f16(header + 2 * lane)), high(Isa::load_u16(header + 32 + 2 * lane)), low(header + 64 + lane) {}

    [[gnu::always_inline]] Part part(int p) const {
      const I low_bits = Isa::and_bits(Isa::shift_right32(Isa::load_u8(low + p / 2 * 16), p % 2 * 4), Isa::set_i32(15));
      const I high_bits = Isa::and_bits(Isa::shift_right32(high, 2 * p), Isa::set_i32(3));
      const I scale = Isa::add_i(Isa::or_bits(low_bits, Isa::shift_left32(high_bits, 4)), Isa::set_i32(-32));
      return {Isa::mul(d, Isa::to_f(scale))};
    }
  };

  template <int, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    return iq4_code(split_nibbles<group>(codes + chunk * 256));
  }
};

}  // namespace

void matmul_iq4_xs(const MatmulArgs& args) {
  matmul_quantized<IQ4_XS>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
