// F32: IEEE single precision, stored as it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// `n` values at `src`, which needs no alignment, as f32.
void dequantize_row_f32(const std::byte* src, float* dst, int64_t n);

// A copy.
void quantize_row_f32(const float* src, std::byte* dst, int64_t n);

}  // namespace minfer
