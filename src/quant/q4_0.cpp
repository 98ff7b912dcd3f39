// Reference conversion of Q4_0.
#include "quant/q4_0.h"

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_q4_0(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, dst += kQuant32) {
    const auto block = load_block<BlockQ4_0>(src, b);
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < kQuant32; ++i) dst[i] = d * static_cast<float>(nibble32(block.qs, i) - 8);
  }
}

void quantize_row_q4_0(const float* src, std::byte* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, src += kQuant32) {
    const Symmetric32 result = quantize_symmetric32(src, 8);
    BlockQ4_0 block;
    block.d = f32_to_f16(result.d);
    pack_nibbles32(result.codes, block.qs);
    store_block(block, dst, b);
  }
}

}  // namespace minfer
