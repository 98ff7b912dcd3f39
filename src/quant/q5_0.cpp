// Reference conversion of Q5_0.
#include "quant/q5_0.h"

#include <bit>

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_q5_0(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, dst += kQuant32) {
    const auto block = load_block<BlockQ5_0>(src, b);
    const float d = f16_to_f32(block.d);
    const uint32_t qh = std::bit_cast<uint32_t>(block.qh);
    for (int i = 0; i < kQuant32; ++i) dst[i] = d * static_cast<float>(five_bits32(block.qs, qh, i) - 16);
  }
}

void quantize_row_q5_0(const float* src, std::byte* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, src += kQuant32) {
    const Symmetric32 result = quantize_symmetric32(src, 16);
    BlockQ5_0 block;
    block.d = f32_to_f16(result.d);
    const uint32_t qh = pack_fifth_bits32(result.codes);
    std::memcpy(block.qh, &qh, sizeof(qh));
    pack_nibbles32(result.codes, block.qs);
    store_block(block, dst, b);
  }
}

}  // namespace minfer
