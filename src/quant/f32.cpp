// F32 rows are bytes.
#include "quant/f32.h"

#include <algorithm>

namespace minfer {

void dequantize_row_f32(const std::byte* src, float* dst, int64_t n) {
  std::copy_n(src, static_cast<size_t>(n) * sizeof(float), reinterpret_cast<std::byte*>(dst));
}

void quantize_row_f32(const float* src, std::byte* dst, int64_t n) {
  std::copy_n(reinterpret_cast<const std::byte*>(src), static_cast<size_t>(n) * sizeof(float), dst);
}

}  // namespace minfer
