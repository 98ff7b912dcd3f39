#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Q3_K {
  static constexpr int kElements = 256;
  static constexpr int kHeaderBytes = 224;
  static constexpr int kCodeBytes = 1536;
  static constexpr int kBits = 3;
  static constexpr int kOffset = 4;
  static constexpr Fold kFold = Fold::kPer16;
  static constexpr int kUnroll = 4;

  struct Header {
    F d;
    alignas(64) uint8_t scales[16][16];  // 32 above the scale
    int lane;

    [[gnu::always_inline]] Header(const uint8_t* header, int first_lane)
        : d(Isa::load_f16(header + 2 * first_lane)), lane(first_lane) {
      const uint8_t* packed = header + 32;
      for (int i = 0; i < 64; i += 4 * Isa::kLanes) {
        const I first = Isa::load_i(packed + i);
        const I second = Isa::load_i(packed + 64 + i);
        const I third = Isa::load_i(packed + 128 + i);
        Isa::store_i(scales[0] + i, Isa::or_bits(nibbles<false>(first), high_bits<0>(third)));
        Isa::store_i(scales[4] + i, Isa::or_bits(nibbles<false>(second), high_bits<2>(third)));
        Isa::store_i(scales[8] + i, Isa::or_bits(nibbles<true>(first), high_bits<4>(third)));
        Isa::store_i(scales[12] + i, Isa::or_bits(nibbles<true>(second), high_bits<6>(third)));
      }
    }

    [[gnu::always_inline]] Part part(int p) const { return {d, Isa::zero(), {scale(2 * p), scale(2 * p + 1)}}; }

   private:
    template <int from>
    [[gnu::always_inline]] static I high_bits(I v) {
      return Isa::template shift_left16<4>(two_bits<from>(v));
    }
    [[gnu::always_inline]] I scale(int i) const {
      return Isa::add_i(Isa::load_u8(scales[i] + lane), Isa::set_i32(-32));
    }
  };

  // The third bits of all parts lie in front: bit p of each byte for part p.
  template <int part, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int chunk) {
    const I low = two_bits<2 * part>(code_vector(codes + 512, chunk * 8 + group));
    return Isa::or_where_bit(low, code_vector(codes, group), Isa::set_i8(1 << (4 * chunk + part)), Isa::set_i8(4));
  }
};

}  // namespace

void matmul_q3_k(const MatmulArgs& args) {
  matmul_quantized<Q3_K>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
