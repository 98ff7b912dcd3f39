// Q3_K: 256 values of 3 bits; each 16 share a signed 6-bit scale: x = (d * (sc - 32)) * (q - 4).
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   u8[32] hmask: element 32 b + j has its third bit in byte j, bit b
// byte 32  u8[64] qs: element 128 h + 32 s + j has its low two bits in byte 32 h + j from bit 2 s on
// byte 96  u8[12] scales: low four bits of scale i in byte i mod 8 (high nibble from i = 8), high two bits in byte
//                 8 + i mod 4 from bit 2 (i / 4) on
// byte 108 f16    d
struct BlockQ3_K {
  uint8_t hmask[32];
  uint8_t qs[64];
  uint8_t scales[12];
  uint16_t d;
};
static_assert(sizeof(BlockQ3_K) == 110);

// The sixteen scales of a block, 32 subtracted: -32..31.
void unpack_scales_q3_k(const uint8_t packed[12], int8_t scales[16]);

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_q3_k(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
