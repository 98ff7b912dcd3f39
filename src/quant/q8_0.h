// Q8_0: 32 signed bytes with one scale: x = d * q.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// byte 0   f16    d
// byte 2   i8[32] qs
struct BlockQ8_0 {
  uint16_t d;
  int8_t qs[32];
};
static_assert(sizeof(BlockQ8_0) == 34);

// `n` values (a multiple of 32) from the blocks at `src`, which needs no alignment.
void dequantize_row_q8_0(const std::byte* src, float* dst, int64_t n);

// `n` values (a multiple of 32) to blocks at `dst`; byte-identical to the Python package `gguf` on finite input. A
// block whose largest magnitude is below 1e-30 but not 0 becomes zeros.
void quantize_row_q8_0(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
