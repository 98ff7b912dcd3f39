// Quantized activations (element type Q8A): what a matmul with quantized weights multiplies. The rounding rule is in
// docs/numerics.md; every kernel that quantizes activations must give the bytes of this reference.
#pragma once

#include <cstdint>

namespace minfer {

inline constexpr int kActBlockElements = 32;

// byte 0  f32    dx: x ≈ dx * q; NaN when an element was not finite
// byte 4  i16[2] sum of q[0..15] and of q[16..31]
// byte 8  i8[32] q
struct ActBlock {
  float dx;
  int16_t sum[2];
  int8_t q[kActBlockElements];
};
static_assert(sizeof(ActBlock) == 40);

// 32 values to one block: dx = max|x| / 127, q = x * (127 / max|x|) rounded to nearest, ties to even, within ±127; all
// zeros when max|x| < 1e-30; dx = NaN and q = 0 when a value is not finite. Assumes the rounding mode "to nearest".
ActBlock quantize_act_block(const float* x);

// `n` values, a multiple of 32, to n / 32 blocks.
void quantize_act_row(const float* x, ActBlock* blocks, int64_t n);

}  // namespace minfer
