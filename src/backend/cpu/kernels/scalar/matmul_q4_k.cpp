#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/k_scales.h"
#include "quant/q4_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ4_K;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;

  static void unpack(const Block& block, Weights32* out) {
    const float d = f16_to_f32(block.d);
    const float dmin = f16_to_f32(block.dmin);
    const KScales scales = unpack_k_scales(block.scales);
    for (int part = 0; part < 8; ++part) {
      const auto index = static_cast<size_t>(part);
      out[part].scale = d * static_cast<float>(scales.scale[index]);
      out[part].minimum = -(dmin * static_cast<float>(scales.minimum[index]));
      for (int j = 0; j < 32; ++j) {
        out[part].w[j] = static_cast<int16_t>(block.qs[part / 2 * 32 + j] >> (part % 2 * 4) & 0x0F);
      }
    }
  }
};

}  // namespace

void matmul_q4_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
