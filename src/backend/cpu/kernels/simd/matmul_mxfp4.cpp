#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

// Twice the magnitudes of E2M1 (0, 0.5, 1, 1.5, 2, 3, 4, 6), positive then negative, 12 added.
constexpr int8_t kTable[16] = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};

struct MXFP4 {
  static constexpr int kElements = 32;
  static constexpr int kHeaderBytes = 16;
  static constexpr int kCodeBytes = 256;
  static constexpr int kBits = 5;
  static constexpr int kOffset = 12;
  static constexpr Fold kFold = Fold::kScale;
  static constexpr int kUnroll = 1;

  struct Header {
    F d;  // 2^(e - 128), for doubled codes; subnormal for e = 0 and 1

    [[gnu::always_inline]] Header(const uint8_t* header, int lane) {
      const I e = Isa::load_u8(header + lane);
      const F normal = Isa::as_f(Isa::shift_left32(Isa::add_i(e, Isa::set_i32(-1)), 23));
      const F subnormal = Isa::as_f(Isa::shift_left32(Isa::add_i(e, Isa::set_i32(1)), 21));
      d = Isa::if_less(Isa::to_f(e), Isa::set(2.0F), subnormal, normal);
    }
    [[gnu::always_inline]] Part part(int) const { return {d}; }
  };

  template <int, int group>
  [[gnu::always_inline]] static I code(const uint8_t* codes, int) {
    return Isa::table16(kTable, split_nibbles<group>(codes));
  }
};

}  // namespace

void matmul_mxfp4(const MatmulArgs& args) {
  matmul_quantized<MXFP4>(args);
}

}  // namespace minfer::cpu::MINFER_ISA
