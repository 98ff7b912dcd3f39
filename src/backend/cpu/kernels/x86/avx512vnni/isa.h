// AVX-512 (F, BW, DQ, VL) with VNNI: sixteen lanes. What each operation means is said in kernels/simd/isa.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

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
  MINFER_LANE_OP F round(F a) {
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  MINFER_LANE_OP F load_f16(const void* p) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
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
#undef MINFER_LANE_OP
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
