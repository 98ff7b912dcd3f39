// Reductions over eight lanes, for every x86 set: lane j takes lane j + w for w = 4, 2, 1.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace minfer::cpu::MINFER_ISA {
namespace {

[[gnu::always_inline]] inline float fold8_sum(__m256 v) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

[[gnu::always_inline]] inline float fold8_max(__m256 v) {
  __m128 most = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  most = _mm_max_ps(most, _mm_movehl_ps(most, most));
  return _mm_cvtss_f32(_mm_max_ss(most, _mm_movehdup_ps(most)));
}

[[gnu::always_inline]] inline int32_t fold8_sum_i(__m256i v) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1)));
}

[[gnu::always_inline]] inline int32_t fold8_max_i(__m256i v) {
  __m128i most = _mm_max_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4E));
  return _mm_cvtsi128_si32(_mm_max_epi32(most, _mm_shuffle_epi32(most, 0xB1)));
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
