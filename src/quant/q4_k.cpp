// Reference dequantization of Q4_K.
#include "quant/q4_k.h"

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/k_scales.h"

namespace minfer {

namespace {

constexpr int kBlock = 256;

}  // namespace

void dequantize_row_q4_k(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, dst += kBlock) {
    const auto block = load_block<BlockQ4_K>(src, b);
    const float d = f16_to_f32(block.d);
    const float dmin = f16_to_f32(block.dmin);
    const KScales scales = unpack_k_scales(block.scales);
    for (int i = 0; i < kBlock; ++i) {
      const size_t sub_block = static_cast<size_t>(i / 32);
      const int q = block.qs[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 0x0F;
      const float scale = d * static_cast<float>(scales.scale[sub_block]);
      const float minimum = dmin * static_cast<float>(scales.minimum[sub_block]);
      dst[i] = scale * static_cast<float>(q) - minimum;
    }
  }
}

}  // namespace minfer
