// Reference quantizer of activations.
#include "quant/act_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quant/block_io.h"

namespace minfer {

ActBlock quantize_act_block(const float* x) {
  ActBlock block{};
  float amax = 0.0f;
  bool finite = true;
  for (int i = 0; i < kActBlockElements; ++i) {
    finite = finite && std::isfinite(x[i]);
    amax = std::max(amax, std::fabs(x[i]));
  }
  if (!finite) {
    block.dx = std::numeric_limits<float>::quiet_NaN();
    return block;
  }
  if (amax < kTinyBlock) return block;

  block.dx = amax / 127.0f;
  const float id = 127.0f / amax;
  for (int i = 0; i < kActBlockElements; ++i) {
    const float rounded = std::clamp(std::rint(x[i] * id), -127.0f, 127.0f);
    block.q[i] = static_cast<int8_t>(rounded);
    block.sum[i / 16] = static_cast<int16_t>(block.sum[i / 16] + block.q[i]);
  }
  return block;
}

void quantize_act_row(const float* x, ActBlock* blocks, int64_t n) {
  for (int64_t b = 0; b < n / kActBlockElements; ++b) blocks[b] = quantize_act_block(x + b * kActBlockElements);
}

}  // namespace minfer
