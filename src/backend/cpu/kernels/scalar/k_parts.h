// What Q4_K and Q5_K have in common: eight parts of 32 with a 6-bit scale and minimum each.
#pragma once

#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "base/half.h"
#include "quant/k_scales.h"

namespace minfer::cpu::scalar {

// Sets scale = d·sc and minimum = -(dmin·mn) of the eight parts of a block.
template <typename Block>
void unpack_part_scales(const Block& block, Weights32* out) {
  const float d = f16_to_f32(block.d);
  const float dmin = f16_to_f32(block.dmin);
  const KScales scales = unpack_k_scales(block.scales);
  for (size_t part = 0; part < scales.scale.size(); ++part) {
    out[part].scale = d * static_cast<float>(scales.scale[part]);
    out[part].minimum = -(dmin * static_cast<float>(scales.minimum[part]));
  }
}

}  // namespace minfer::cpu::scalar
