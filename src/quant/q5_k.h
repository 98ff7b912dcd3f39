// Q5_K: 256 values of 5 bits; each 32 share a 6-bit scale and a 6-bit minimum: x = (d * sc) * q - dmin * mn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   f16     d
// byte 2   f16     dmin
// byte 4   u8[12]  scales: see k_scales.h
// byte 16  u8[32]  qh: element 32 b + j has its fifth bit in byte j, bit b
// byte 48  u8[128] qs: byte 32 c + j holds four bits of element 64 c + j (low nibble) and of 64 c + 32 + j (high
// nibble)
struct BlockQ5_K {
  uint16_t d;
  uint16_t dmin;
  uint8_t scales[12];
  uint8_t qh[32];
  uint8_t qs[128];
};
static_assert(sizeof(BlockQ5_K) == 176);

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_q5_k(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
