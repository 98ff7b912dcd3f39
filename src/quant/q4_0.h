// Q4_0: 32 values of 4 bits with one scale: x = d * (q - 8).
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   f16    d
// byte 2   u8[16] qs: byte j holds element j (low nibble) and element j + 16 (high nibble)
struct BlockQ4_0 {
  uint16_t d;
  uint8_t qs[16];
};
static_assert(sizeof(BlockQ4_0) == 18);

// `n` values (a multiple of 32) from the blocks at `src`, which needs no alignment.
void dequantize_row_q4_0(const std::byte* src, float* dst, int64_t n);

// `n` values (a multiple of 32) to blocks at `dst`; byte-identical to the Python package `gguf` on finite input. A
// block whose largest magnitude is below 1e-30 but not 0 becomes zeros.
void quantize_row_q4_0(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
