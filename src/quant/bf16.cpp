// BF16 rows, converted value by value.
#include "quant/bf16.h"

#include "base/half.h"
#include "quant/block_io.h"

namespace minfer {

void dequantize_row_bf16(const std::byte* src, float* dst, int64_t n) {
  for (int64_t i = 0; i < n; ++i) dst[i] = bf16_to_f32(load_block<uint16_t>(src, i));
}

void quantize_row_bf16(const float* src, std::byte* dst, int64_t n) {
  for (int64_t i = 0; i < n; ++i) store_block(f32_to_bf16(src[i]), dst, i);
}

}  // namespace minfer
