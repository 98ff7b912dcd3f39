// IQ4_NL: 32 values of 4 bits with one scale: x = d * table[q].
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0  f16    d
// byte 2  u8[16] qs: byte j holds the code of element j (low nibble) and of element j + 16 (high nibble)
struct BlockIQ4_NL {
  uint16_t d;
  uint8_t qs[16];
};
static_assert(sizeof(BlockIQ4_NL) == 18);

// `n` values (a multiple of 32) from the blocks at `src`, which needs no alignment.
void dequantize_row_iq4_nl(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
