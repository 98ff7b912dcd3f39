// Reference dequantization of Q2_K.
#include "quant/q2_k.h"

#include "base/half.h"
#include "quant/block_io.h"

namespace minfer {

namespace {

constexpr int kBlock = 256;

}  // namespace

void dequantize_row_q2_k(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, dst += kBlock) {
    const auto block = load_block<BlockQ2_K>(src, b);
    const float d = f16_to_f32(block.d);
    const float dmin = f16_to_f32(block.dmin);
    for (int i = 0; i < kBlock; ++i) {
      const int q = block.qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      const float scale = d * static_cast<float>(block.scales[i / 16] & 0x0F);
      const float minimum = dmin * static_cast<float>(block.scales[i / 16] >> 4);
      dst[i] = scale * static_cast<float>(q) - minimum;
    }
  }
}

}  // namespace minfer
