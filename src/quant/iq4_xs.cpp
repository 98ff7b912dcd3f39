// Reference conversion of IQ4_XS.
#include "quant/iq4_xs.h"

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/iq4_table.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_iq4_xs(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / 256; ++b, dst += 256) {
    const auto block = load_block<BlockIQ4_XS>(src, b);
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < 256; ++i) {
      const float scale = d * static_cast<float>(scale_iq4_xs(block, i / 32));
      dst[i] = scale * static_cast<float>(kIq4Table[nibble32(block.qs + i / 32 * 16, i % 32)]);
    }
  }
}

}  // namespace minfer
