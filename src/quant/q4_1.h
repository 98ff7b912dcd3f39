// Q4_1: 32 values of 4 bits with a scale and a minimum: x = d * q + m.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   f16    d
// byte 2   f16    m
// byte 4   u8[16] qs: byte j holds element j (low nibble) and element j + 16 (high nibble)
struct BlockQ4_1 {
  uint16_t d;
  uint16_t m;
  uint8_t qs[16];
};
static_assert(sizeof(BlockQ4_1) == 20);

// `n` values (a multiple of 32) from the blocks at `src`, which needs no alignment.
void dequantize_row_q4_1(const std::byte* src, float* dst, int64_t n);

// `n` values (a multiple of 32) to blocks at `dst`; byte-identical to the Python package `gguf` on finite input. A
// block whose largest magnitude is below 1e-30 but not 0 becomes zeros.
void quantize_row_q4_1(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
