// AVX2 with AVX-VNNI: one instruction adds the products of four bytes to a lane.
#pragma once

#include "backend/cpu/kernels/x86/avx2/ops.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Isa : Avx2Ops {
  static constexpr int kSignedOffset = 128;
  struct Dot {
    I sum;
  };

  [[gnu::always_inline]] static inline Dot start(I sum) { return {sum}; }
  template <int bits, int step, int n_steps>
  [[gnu::always_inline]] static inline void accumulate(Dot& dot, I code, I x) {
    dot.sum = _mm256_dpbusd_avx_epi32(dot.sum, code, x);
  }
  [[gnu::always_inline]] static inline I unsigned_code(I code) { return xor_bits(code, set_i8(-128)); }
  [[gnu::always_inline]] static inline I finish(const Dot& dot) { return dot.sum; }
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
