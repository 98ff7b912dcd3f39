// Q2_K: 256 values of 2 bits; each 16 share a 4-bit scale and a 4-bit minimum: x = (d * sc) * q - dmin * mn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   u8[16] scales: of sub-block i, the scale (low nibble) and the minimum (high nibble)
// byte 16  u8[64] qs: element 128 h + 32 s + j is two bits of byte 32 h + j from bit 2 s on
// byte 80  f16    d
// byte 82  f16    dmin
struct BlockQ2_K {
  uint8_t scales[16];
  uint8_t qs[64];
  uint16_t d;
  uint16_t dmin;
};
static_assert(sizeof(BlockQ2_K) == 84);

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_q2_k(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
