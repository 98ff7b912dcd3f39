#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/k_scales.h"
#include "quant/q5_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ5_K;
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
        const int low = block.qs[part / 2 * 32 + j] >> (part % 2 * 4) & 0x0F;
        const int fifth_bit = block.qh[j] >> part & 1;
        out[part].w[j] = static_cast<int16_t>(low | fifth_bit << 4);
      }
    }
  }
};

}  // namespace

void matmul_q5_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
