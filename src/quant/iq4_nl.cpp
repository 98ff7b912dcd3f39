// Reference conversion of IQ4_NL.
#include "quant/iq4_nl.h"

#include "base/half.h"
#include "quant/block_io.h"
#include "quant/iq4_table.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_iq4_nl(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, dst += kQuant32) {
    const auto block = load_block<BlockIQ4_NL>(src, b);
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < kQuant32; ++i) dst[i] = d * static_cast<float>(kIq4Table[nibble32(block.qs, i)]);
  }
}

}  // namespace minfer
