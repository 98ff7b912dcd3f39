// F32 rows are bytes.
#include "quant/f32.h"

#include <cstring>

namespace minfer {

void dequantize_row_f32(const std::byte* src, float* dst, int64_t n) {
  std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(float));
}

void quantize_row_f32(const float* src, std::byte* dst, int64_t n) {
  std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(float));
}

}  // namespace minfer
