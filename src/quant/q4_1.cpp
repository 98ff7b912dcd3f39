// Reference conversion of Q4_1.
#include "quant/q4_1.h"

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_q4_1(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, dst += kQuant32) {
    const auto block = load_block<BlockQ4_1>(src, b);
    const float d = f16_to_f32(block.d);
    const float m = f16_to_f32(block.m);
    for (int i = 0; i < kQuant32; ++i) dst[i] = d * static_cast<float>(nibble32(block.qs, i)) + m;
  }
}

void quantize_row_q4_1(const float* src, std::byte* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, src += kQuant32) {
    const Affine32 result = quantize_affine32(src, 15);
    BlockQ4_1 block;
    block.d = f32_to_f16(result.d);
    block.m = f32_to_f16(result.m);
    pack_nibbles32(result.codes, block.qs);
    store_block(block, dst, b);
  }
}

}  // namespace minfer
