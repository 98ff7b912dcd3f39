// Reference dequantization of Q3_K.
#include "quant/q3_k.h"

#include "base/half.h"
#include "quant/block_io.h"

namespace minfer {

namespace {

constexpr int kBlock = 256;

}  // namespace

void unpack_scales_q3_k(const uint8_t packed[12], int8_t scales[16]) {
  for (int i = 0; i < 16; ++i) {
    const int low = packed[i % 8] >> (i / 8 * 4) & 0x0F;
    const int high = packed[8 + i % 4] >> (i / 4 * 2) & 3;
    scales[i] = static_cast<int8_t>((low | high << 4) - 32);
  }
}

void dequantize_row_q3_k(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, dst += kBlock) {
    const auto block = load_block<BlockQ3_K>(src, b);
    const float d = f16_to_f32(block.d);
    int8_t scales[16];
    unpack_scales_q3_k(block.scales, scales);
    for (int i = 0; i < kBlock; ++i) {
      const int low = block.qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      const int third_bit = block.hmask[i % 32] >> (i / 32) & 1;
      const float scale = d * static_cast<float>(scales[i / 16]);
      dst[i] = scale * static_cast<float>(low + 4 * third_bit - 4);
    }
  }
}

}  // namespace minfer
