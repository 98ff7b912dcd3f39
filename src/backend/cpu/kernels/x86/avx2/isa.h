// AVX2 without VNNI: dot products of bytes through pairs of 16-bit sums.
#pragma once

#include "backend/cpu/kernels/x86/avx2/ops.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Isa : Avx2Ops {
  // 8-bit codes stay signed: |w| times x with the sign of w fits a pair sum, an unsigned code would not.
  static constexpr int kSignedOffset = 0;
  struct Dot {
    I sum;    // i32 per lane
    I pairs;  // i16: sums of the steps since the last widening
  };

  [[gnu::always_inline]] static inline Dot start(I sum) { return {sum, zero_i()}; }

  // Pair sums of `bits`-bit codes are below 2 · 2^bits · 127: this many fit 16 bits.
  template <int bits, int step, int n_steps>
  [[gnu::always_inline]] static inline void accumulate(Dot& dot, I code, I x) {
    constexpr int kPairs = bits <= 4 ? 8 : bits == 5 ? 4 : bits == 6 ? 2 : 1;
    const I pairs = bits == 8 ? _mm256_maddubs_epi16(_mm256_abs_epi8(code), _mm256_sign_epi8(x, code))
                              : _mm256_maddubs_epi16(code, x);
    dot.pairs = step % kPairs == 0 ? pairs : _mm256_add_epi16(dot.pairs, pairs);
    if (step % kPairs == kPairs - 1 || step == n_steps - 1) widen(dot);
  }
  [[gnu::always_inline]] static inline I unsigned_code(I code) { return code; }

  [[gnu::always_inline]] static inline I finish(const Dot& dot) { return dot.sum; }

 private:
  [[gnu::always_inline]] static inline void widen(Dot& dot) {
    dot.sum = add_i(dot.sum, _mm256_madd_epi16(dot.pairs, _mm256_set1_epi16(1)));
  }
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
