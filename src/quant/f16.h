// F16: IEEE half precision, widened exactly.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// `n` values at `src`, which needs no alignment, as f32.
void dequantize_row_f16(const std::byte* src, float* dst, int64_t n);

// Rounds to nearest, ties to even; beyond the range to infinity.
void quantize_row_f16(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
