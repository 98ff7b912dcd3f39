// MXFP4 (OCP Microscaling Formats 1.0): 32 values of E2M1 with one power of two as scale. The table holds twice the
// values, so that codes are integers: x = 2^(e - 128) * table[q].
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0  u8     e: exponent of the scale
// byte 1  u8[16] qs: byte j holds the code of element j (low nibble) and of element j + 16 (high nibble)
struct BlockMXFP4 {
  uint8_t e;
  uint8_t qs[16];
};
static_assert(sizeof(BlockMXFP4) == 17);

inline constexpr int8_t kMxfp4Table[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// 2^(e - 128); subnormal for e = 0 and 1.
inline float scale_mxfp4(uint8_t e) {
  return std::bit_cast<float>(e < 2 ? uint32_t{0x00200000} << e : static_cast<uint32_t>(e - 1) << 23);
}

// `n` values (a multiple of 32) from the blocks at `src`, which needs no alignment.
void dequantize_row_mxfp4(const std::byte* src, float* dst, int64_t n);

}  // namespace minfer
