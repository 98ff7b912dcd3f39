// Reference conversion of MXFP4.
#include "quant/mxfp4.h"

#include "quant/block_io.h"
#include "quant/range32.h"

namespace minfer {

void dequantize_row_mxfp4(const std::byte* src, float* dst, int64_t n) {
  for (int64_t b = 0; b < n / kQuant32; ++b, dst += kQuant32) {
    const auto block = load_block<BlockMXFP4>(src, b);
    const float d = scale_mxfp4(block.e);
    for (int i = 0; i < kQuant32; ++i) dst[i] = d * static_cast<float>(kMxfp4Table[nibble32(block.qs, i)]);
  }
}

}  // namespace minfer
