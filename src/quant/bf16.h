// BF16: the upper half of an f32, widened exactly.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// `n` values at `src`, which needs no alignment, as f32.
void dequantize_row_bf16(const std::byte* src, float* dst, int64_t n);

// Rounds to nearest, ties to even.
void quantize_row_bf16(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
