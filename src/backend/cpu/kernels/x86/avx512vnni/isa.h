// AVX-512 (F, BW, DQ, VL) with VNNI: sixteen lanes. What each operation means is said in kernels/simd/isa.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "backend/cpu/kernels/x86/fold8.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Isa {
  static constexpr int kLanes = 16;
  static constexpr int kMaxRows = 8;         // activation rows per register tile
  static constexpr int kSignedOffset = 128;  // dot products take unsigned codes: signed ones are shifted by it
  using F = __m512;
  using I = __m512i;
  struct Dot {
    I sum;
  };

#define MINFER_LANE_OP [[gnu::always_inline]] static inline
  MINFER_LANE_OP F zero() {
    return _mm512_setzero_ps();
  }
  MINFER_LANE_OP F set(float v) {
    return _mm512_set1_ps(v);
  }
  MINFER_LANE_OP F load(const float* p) {
    return _mm512_loadu_ps(p);
  }
  MINFER_LANE_OP void store(float* p, F v) {
    _mm512_storeu_ps(p, v);
  }
  MINFER_LANE_OP F load_first(const float* p, int n) {
    return _mm512_maskz_loadu_ps(first(n), p);
  }
  MINFER_LANE_OP void store_first(float* p, F v, int n) {
    _mm512_mask_storeu_ps(p, first(n), v);
  }
  MINFER_LANE_OP F add(F a, F b) {
    return _mm512_add_ps(a, b);
  }
  MINFER_LANE_OP F sub(F a, F b) {
    return _mm512_sub_ps(a, b);
  }
  MINFER_LANE_OP F mul(F a, F b) {
    return _mm512_mul_ps(a, b);
  }
  MINFER_LANE_OP F div(F a, F b) {
    return _mm512_div_ps(a, b);
  }
  MINFER_LANE_OP F sqrt(F a) {
    return _mm512_sqrt_ps(a);
  }
  MINFER_LANE_OP F fma(F a, F b, F c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  MINFER_LANE_OP F max_of(F a, F b) {
    return _mm512_max_ps(a, b);
  }
  MINFER_LANE_OP F min_of(F a, F b) {
    return _mm512_min_ps(a, b);
  }
  MINFER_LANE_OP F negate(F a) {
    return _mm512_castsi512_ps(xor_bits(_mm512_castps_si512(a), set_i32(INT32_MIN)));
  }
  MINFER_LANE_OP F abs(F a) {
    return _mm512_castsi512_ps(and_bits(_mm512_castps_si512(a), set_i32(INT32_MAX)));
  }
  MINFER_LANE_OP F if_less(F a, F b, F then, F otherwise) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), otherwise, then);
  }
  MINFER_LANE_OP F if_nan(F a, F then, F otherwise) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), otherwise, then);
  }
  MINFER_LANE_OP F keep_first(F a, int n, F rest) {
    return _mm512_mask_blend_ps(first(n), rest, a);
  }
  MINFER_LANE_OP F even_lanes(F a, F b) {
    return _mm512_permutex2var_ps(a, count_from(0, 2), b);
  }
  MINFER_LANE_OP F odd_lanes(F a, F b) {
    return _mm512_permutex2var_ps(a, count_from(1, 2), b);
  }
  MINFER_LANE_OP F interleave_low(F a, F b) {
    return _mm512_permutex2var_ps(a, alternate_from(0), b);
  }
  MINFER_LANE_OP F interleave_high(F a, F b) {
    return _mm512_permutex2var_ps(a, alternate_from(8), b);
  }
  MINFER_LANE_OP float first_lane(F a) {
    return _mm512_cvtss_f32(a);
  }
  MINFER_LANE_OP float fold_sum(F a) {
    return fold8_sum(_mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1)));
  }
  MINFER_LANE_OP float fold_max(F a) {
    return fold8_max(_mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1)));
  }
  MINFER_LANE_OP F round(F a) {
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  MINFER_LANE_OP F load_f16(const void* p) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
  }
  MINFER_LANE_OP F load_first_f16(const void* p, int n) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first(n), p));
  }
  MINFER_LANE_OP F load_bf16(const void* p) {
    return as_f(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(p))), 16));
  }
  MINFER_LANE_OP void store_f16(void* p, F v) {
    _mm256_storeu_si256(static_cast<__m256i*>(p), _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  MINFER_LANE_OP F as_f(I v) {
    return _mm512_castsi512_ps(v);
  }
  MINFER_LANE_OP I as_i(F v) {
    return _mm512_castps_si512(v);
  }

  MINFER_LANE_OP I zero_i() {
    return _mm512_setzero_si512();
  }
  MINFER_LANE_OP I set_i32(int32_t v) {
    return _mm512_set1_epi32(v);
  }
  MINFER_LANE_OP I set_i8(int v) {
    return _mm512_set1_epi8(static_cast<char>(v));
  }
  MINFER_LANE_OP I load_i(const void* p) {
    return _mm512_loadu_si512(p);
  }
  MINFER_LANE_OP void store_i(void* p, I v) {
    _mm512_storeu_si512(p, v);
  }
  MINFER_LANE_OP void store_i8(void* p, I v) {
    _mm_storeu_si128(static_cast<__m128i*>(p), _mm512_cvtepi32_epi8(v));
  }
  MINFER_LANE_OP I load_u8(const void* p) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
  }
  MINFER_LANE_OP I load_i8(const void* p) {
    return _mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
  }
  MINFER_LANE_OP I load_u16(const void* p) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
  }
  MINFER_LANE_OP I broadcast4(const void* p) {
    int32_t word;
    __builtin_memcpy(&word, p, sizeof(word));
    return _mm512_set1_epi32(word);
  }
  MINFER_LANE_OP I table16(const int8_t* table, I index) {
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table))), index);
  }
  MINFER_LANE_OP F to_f(I v) {
    return _mm512_cvtepi32_ps(v);
  }
  MINFER_LANE_OP I to_i(F v) {
    return _mm512_cvtps_epi32(v);
  }
  MINFER_LANE_OP I add_i(I a, I b) {
    return _mm512_add_epi32(a, b);
  }
  MINFER_LANE_OP I max_i(I a, I b) {
    return _mm512_max_epi32(a, b);
  }
  MINFER_LANE_OP I min_i(I a, I b) {
    return _mm512_min_epi32(a, b);
  }
  MINFER_LANE_OP int32_t fold_sum_i(I a) {
    return fold8_sum_i(_mm256_add_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1)));
  }
  MINFER_LANE_OP int32_t fold_max_i(I a) {
    return fold8_max_i(_mm256_max_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1)));
  }
  MINFER_LANE_OP I mul_i(I a, I b) {
    return _mm512_mullo_epi32(a, b);
  }
  MINFER_LANE_OP I and_bits(I a, I b) {
    return _mm512_and_si512(a, b);
  }
  MINFER_LANE_OP I or_bits(I a, I b) {
    return _mm512_or_si512(a, b);
  }
  MINFER_LANE_OP I xor_bits(I a, I b) {
    return _mm512_xor_si512(a, b);
  }
  template <int n>
  MINFER_LANE_OP I shift_right16(I v) {
    return _mm512_srli_epi16(v, n);
  }
  template <int n>
  MINFER_LANE_OP I shift_left16(I v) {
    return _mm512_slli_epi16(v, n);
  }
  MINFER_LANE_OP I shift_right32(I v, int n) {
    return _mm512_srl_epi32(v, _mm_cvtsi32_si128(n));
  }
  MINFER_LANE_OP I shift_left32(I v, int n) {
    return _mm512_sll_epi32(v, _mm_cvtsi32_si128(n));
  }
  MINFER_LANE_OP I or_where_bit(I v, I bits, I bit, I value) {
    return or_bits(v, _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(bits, bit), value));
  }
  MINFER_LANE_OP I pair_products(I a, I b) {
    return _mm512_madd_epi16(a, b);
  }

  MINFER_LANE_OP Dot start(I sum) {
    return {sum};
  }
  template <int bits, int step, int n_steps>
  MINFER_LANE_OP void accumulate(Dot& dot, I code, I x) {
    dot.sum = _mm512_dpbusd_epi32(dot.sum, code, x);
  }
  MINFER_LANE_OP I unsigned_code(I code) {
    return xor_bits(code, set_i8(-128));
  }
  MINFER_LANE_OP I finish(const Dot& dot) {
    return dot.sum;
  }

  MINFER_LANE_OP void prefetch(const void* p) {
    _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
  }

 private:
  MINFER_LANE_OP __mmask16 first(int n) {
    return static_cast<__mmask16>((1U << n) - 1);
  }
  // from, from + step, …
  MINFER_LANE_OP I count_from(int from, int step) {
    const I lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return add_i(set_i32(from), mul_i(lanes, set_i32(step)));
  }
  // from, from + 16, from + 1, from + 17, …
  MINFER_LANE_OP I alternate_from(int from) {
    return add_i(set_i32(from), _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  }
#undef MINFER_LANE_OP
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
