// IQ4_XS: 256 values of 4 bits; each 32 share a 6-bit scale: x = (d * (ls - 32)) * table[q].
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0  f16     d
// byte 2  u16     scales_h: high two bits of scale i from bit 2 i on
// byte 4  u8[4]   scales_l: low four bits of scale i in byte i / 2 (high nibble for odd i)
// byte 8  u8[128] qs: byte 16 i + j holds the code of element 32 i + j (low nibble) and of 32 i + 16 + j (high nibble)
struct BlockIQ4_XS {
  uint16_t d;
  uint16_t scales_h;
  uint8_t scales_l[4];
  uint8_t qs[128];
};
static_assert(sizeof(BlockIQ4_XS) == 136);

// Scale `part` (0 to 7) of a block, 32 subtracted: -32..31.
inline int scale_iq4_xs(const BlockIQ4_XS& block, int part) {
  const int low = block.scales_l[part / 2] >> (part % 2 * 4) & 0x0F;
  const int high = block.scales_h >> (2 * part) & 3;
  return (low | high << 4) - 32;
}

// `n` values (a multiple of 256) from the blocks at `src`, which needs no alignment.
void dequantize_row_iq4_xs(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
