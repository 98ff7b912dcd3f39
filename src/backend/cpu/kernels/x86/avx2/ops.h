// Eight lanes of AVX2, FMA and F16C: everything but the integer dot product, which AVX-VNNI does better. What each
// operation means is said in kernels/simd/isa.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels/x86/fold8.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Avx2Ops {
  static constexpr int kLanes = 8;
  static constexpr int kMaxRows = 4;
  using F = __m256;
  using I = __m256i;

#define MINFER_LANE_OP [[gnu::always_inline]] static inline
  MINFER_LANE_OP F zero() {
    return _mm256_setzero_ps();
  }
  MINFER_LANE_OP F set(float v) {
    return _mm256_set1_ps(v);
  }
  MINFER_LANE_OP F load(const float* p) {
    return _mm256_loadu_ps(p);
  }
  MINFER_LANE_OP void store(float* p, F v) {
    _mm256_storeu_ps(p, v);
  }
  MINFER_LANE_OP F load_first(const float* p, int n) {
    return _mm256_maskload_ps(p, first(n));
  }
  MINFER_LANE_OP void store_first(float* p, F v, int n) {
    _mm256_maskstore_ps(p, first(n), v);
  }
  MINFER_LANE_OP F add(F a, F b) {
    return _mm256_add_ps(a, b);
  }
  MINFER_LANE_OP F sub(F a, F b) {
    return _mm256_sub_ps(a, b);
  }
  MINFER_LANE_OP F mul(F a, F b) {
    return _mm256_mul_ps(a, b);
  }
  MINFER_LANE_OP F div(F a, F b) {
    return _mm256_div_ps(a, b);
  }
  MINFER_LANE_OP F sqrt(F a) {
    return _mm256_sqrt_ps(a);
  }
  MINFER_LANE_OP F fma(F a, F b, F c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  MINFER_LANE_OP F max_of(F a, F b) {
    return _mm256_max_ps(a, b);
  }
  MINFER_LANE_OP F min_of(F a, F b) {
    return _mm256_min_ps(a, b);
  }
  MINFER_LANE_OP F negate(F a) {
    return _mm256_xor_ps(a, as_f(set_i32(INT32_MIN)));
  }
  MINFER_LANE_OP F abs(F a) {
    return _mm256_and_ps(a, as_f(set_i32(INT32_MAX)));
  }
  MINFER_LANE_OP F if_less(F a, F b, F then, F otherwise) {
    return _mm256_blendv_ps(otherwise, then, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
  }
  MINFER_LANE_OP F if_nan(F a, F then, F otherwise) {
    return _mm256_blendv_ps(otherwise, then, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
  }
  MINFER_LANE_OP F keep_first(F a, int n, F rest) {
    return _mm256_blendv_ps(rest, a, as_f(first(n)));
  }
  MINFER_LANE_OP F even_lanes(F a, F b) {
    return in_order(_mm256_shuffle_ps(a, b, 0x88));
  }
  MINFER_LANE_OP F odd_lanes(F a, F b) {
    return in_order(_mm256_shuffle_ps(a, b, 0xDD));
  }
  MINFER_LANE_OP F interleave_low(F a, F b) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
  }
  MINFER_LANE_OP F interleave_high(F a, F b) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
  }
  MINFER_LANE_OP float first_lane(F a) {
    return _mm256_cvtss_f32(a);
  }
  MINFER_LANE_OP float fold_sum(F a) {
    return fold8_sum(a);
  }
  MINFER_LANE_OP float fold_max(F a) {
    return fold8_max(a);
  }
  MINFER_LANE_OP F round(F a) {
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  MINFER_LANE_OP F load_f16(const void* p) {
    return _mm256_cvtph_ps(load_half(p));
  }
  MINFER_LANE_OP F load_first_f16(const void* p, int n) {
    uint16_t halves[kLanes] = {};
    __builtin_memcpy(halves, p, static_cast<size_t>(n) * sizeof(halves[0]));
    return load_f16(halves);
  }
  MINFER_LANE_OP F load_bf16(const void* p) {
    return as_f(_mm256_slli_epi32(load_u16(p), 16));
  }
  MINFER_LANE_OP void store_f16(void* p, F v) {
    _mm_storeu_si128(static_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  MINFER_LANE_OP F as_f(I v) {
    return _mm256_castsi256_ps(v);
  }
  MINFER_LANE_OP I as_i(F v) {
    return _mm256_castps_si256(v);
  }

  MINFER_LANE_OP I zero_i() {
    return _mm256_setzero_si256();
  }
  MINFER_LANE_OP I set_i32(int32_t v) {
    return _mm256_set1_epi32(v);
  }
  MINFER_LANE_OP I set_i8(int v) {
    return _mm256_set1_epi8(static_cast<char>(v));
  }
  MINFER_LANE_OP I load_i(const void* p) {
    return _mm256_loadu_si256(static_cast<const I*>(p));
  }
  MINFER_LANE_OP void store_i(void* p, I v) {
    _mm256_storeu_si256(static_cast<I*>(p), v);
  }
  MINFER_LANE_OP void store_i8(void* p, I v) {
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64(static_cast<__m128i*>(p), _mm_packs_epi16(words, words));
  }
  MINFER_LANE_OP I load_u8(const void* p) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
  }
  MINFER_LANE_OP I load_i8(const void* p) {
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
  }
  MINFER_LANE_OP I load_u16(const void* p) {
    return _mm256_cvtepu16_epi32(load_half(p));
  }
  MINFER_LANE_OP I broadcast4(const void* p) {
    int32_t word;
    __builtin_memcpy(&word, p, sizeof(word));
    return _mm256_set1_epi32(word);
  }
  MINFER_LANE_OP I table16(const int8_t* table, I index) {
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(table)), index);
  }
  MINFER_LANE_OP F to_f(I v) {
    return _mm256_cvtepi32_ps(v);
  }
  MINFER_LANE_OP I to_i(F v) {
    return _mm256_cvtps_epi32(v);
  }
  MINFER_LANE_OP I add_i(I a, I b) {
    return _mm256_add_epi32(a, b);
  }
  MINFER_LANE_OP I max_i(I a, I b) {
    return _mm256_max_epi32(a, b);
  }
  MINFER_LANE_OP I min_i(I a, I b) {
    return _mm256_min_epi32(a, b);
  }
  MINFER_LANE_OP int32_t fold_sum_i(I a) {
    return fold8_sum_i(a);
  }
  MINFER_LANE_OP int32_t fold_max_i(I a) {
    return fold8_max_i(a);
  }
  MINFER_LANE_OP I mul_i(I a, I b) {
    return _mm256_mullo_epi32(a, b);
  }
  MINFER_LANE_OP I and_bits(I a, I b) {
    return _mm256_and_si256(a, b);
  }
  MINFER_LANE_OP I or_bits(I a, I b) {
    return _mm256_or_si256(a, b);
  }
  MINFER_LANE_OP I xor_bits(I a, I b) {
    return _mm256_xor_si256(a, b);
  }
  template <int n>
  MINFER_LANE_OP I shift_right16(I v) {
    return _mm256_srli_epi16(v, n);
  }
  template <int n>
  MINFER_LANE_OP I shift_left16(I v) {
    return _mm256_slli_epi16(v, n);
  }
  MINFER_LANE_OP I shift_right32(I v, int n) {
    return _mm256_srl_epi32(v, _mm_cvtsi32_si128(n));
  }
  MINFER_LANE_OP I shift_left32(I v, int n) {
    return _mm256_sll_epi32(v, _mm_cvtsi32_si128(n));
  }
  MINFER_LANE_OP I or_where_bit(I v, I bits, I bit, I value) {
    return or_bits(v, and_bits(value, _mm256_cmpeq_epi8(and_bits(bits, bit), bit)));
  }
  MINFER_LANE_OP I pair_products(I a, I b) {
    return _mm256_madd_epi16(a, b);
  }
  MINFER_LANE_OP void prefetch(const void* p) {
    _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
  }

 private:
  // Pairs of lanes 0 1 4 5 2 3 6 7, as shuffles of two vectors leave them, put in order.
  MINFER_LANE_OP F in_order(F v) {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0xD8));
  }
  MINFER_LANE_OP __m128i load_half(const void* p) {
    return _mm_loadu_si128(static_cast<const __m128i*>(p));
  }
  MINFER_LANE_OP I first(int n) {
    return _mm256_cmpgt_epi32(set_i32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
#undef MINFER_LANE_OP
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
