#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/q2_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ2_K;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScaleAndMinimumPer16;

  static void unpack(const Block& block, Weights32* out) {
    const float d = f16_to_f32(block.d);
    const float dmin = f16_to_f32(block.dmin);
    for (int i = 0; i < 256; ++i) {
      const int q = block.qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      out[i / 32].w[i % 32] = static_cast<int16_t>(q * (block.scales[i / 16] & 0x0F));
    }
    for (int part = 0; part < 8; ++part) {
      out[part].scale = d;
      out[part].minimum = dmin;
      for (int half = 0; half < 2; ++half) out[part].min_int[half] = block.scales[2 * part + half] >> 4;
    }
  }
};

}  // namespace

void matmul_q2_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
