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

  struct Header {
    F d;
    F minus_dmin;
    KScales16 scales;
    int lane;

    [[gnu::always_inline]] Header(const uint8_t* header, int first_lane)
        : d(Isa::load_f16(header + 2 * first_lane)),
          minus_dmin(Isa::negate(Isa::load_f16(header + 32 + 2 * first_lane))),
          scales(header + 64),
          lane(first_lane) {}

    [[gnu::always_inline]] Part part(int p) const {
      const F scale = Isa::to_f(Isa::load_u8(scales.scale[p] + lane));
      const F minimum = Isa::to_f(Isa::load_u8(scales.minimum[p] + lane));
      return {Isa::mul(d, scale), Isa::mul(minus_dmin, minimum)};
    }
  };

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
