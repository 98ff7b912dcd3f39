// Reference dequantization of Q6_K.
#include "quant/q6_k.h"

#include "base/half.h"
#include "quant/block_io.h"

namespace minfer {

namespace {

constexpr int kBlock = 256;

}  // namespace

void dequantize_row_q6_k(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, dst += kBlock) {
    const auto block = load_block<BlockQ6_K>(src, b);
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < kBlock; ++i) {
      const int low = block.ql[i / 128 * 64 + i % 64] >> (i % 128 / 64 * 4) & 0x0F;
      const int high = block.qh[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      const float scale = d * static_cast<float>(block.scales[i / 16]);
      dst[i] = scale * static_cast<float>((low | high << 4) - 32);
    }
  }
}

}  // namespace minfer
