// Reference conversion of Q8_0. Codes round halves away from zero, unlike those of activations (act_block.h).
#include "quant/q8_0.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"
#include "quant/block_io.h"

namespace minfer {

namespace {

constexpr int kBlock = 32;

BlockQ8_0 quantize_block(const float* x) {
  float amax = 0.0f;
  for (int i = 0; i < kBlock; ++i) amax = std::max(amax, std::fabs(x[i]));
  if (amax < kTinyBlock) return BlockQ8_0{};

  BlockQ8_0 block;
  const float d = amax / 127.0f;
  const float id = 1.0f / d;
  block.d = f32_to_f16(d);
  for (int i = 0; i < kBlock; ++i) block.qs[i] = static_cast<int8_t>(std::round(x[i] * id));
  return block;
}

}  // namespace

void dequantize_row_q8_0(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, dst += kBlock) {
    const auto block = load_block<BlockQ8_0>(src, b);
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < kBlock; ++i) dst[i] = d * static_cast<float>(block.qs[i]);
  }
}

void quantize_row_q8_0(const float* src, std::byte* dst, int64_t n) {
  for (int64_t b = 0; b < n / kBlock; ++b, src += kBlock) store_block(quantize_block(src), dst, b);
}

}  // namespace minfer
