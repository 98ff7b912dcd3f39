// Q6_K: 256 values of 6 bits; each 16 share a signed 8-bit scale: x = (d * sc) * (q - 32).
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   u8[128] ql: element 128 h + 64 s + j has its low four bits in byte 64 h + j, nibble s
// byte 128 u8[64]  qh: element 128 h + 32 s + j has its high two bits in byte 32 h + j from bit 2 s on
// byte 192 i8[16]  scales
// byte 208 f16     d
struct BlockQ6_K {
  uint8_t ql[128];
  uint8_t qh[64];
  int8_t scales[16];
  uint16_t d;
};
static_assert(sizeof(BlockQ6_K) == 210);

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_q6_k(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
