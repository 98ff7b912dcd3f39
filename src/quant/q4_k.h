// Q4_K: 256 values of 4 bits; each 32 share a 6-bit scale and a 6-bit minimum: x = (d * sc) * q - dmin * mn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   f16     d
// byte 2   f16     dmin
// byte 4   u8[12]  scales: see k_scales.h
// byte 16  u8[128] qs: byte 32 c + j holds element 64 c + j (low nibble) and element 64 c + 32 + j (high nibble)
struct BlockQ4_K {
  uint16_t d;
  uint16_t dmin;
  uint8_t scales[12];
  uint8_t qs[128];
};
static_assert(sizeof(BlockQ4_K) == 144);

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_q4_k(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
