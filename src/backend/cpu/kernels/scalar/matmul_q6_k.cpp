#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/q6_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ6_K;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    const float d = f16_to_f32(block.d);
    for (int i = 0; i < 256; ++i) {
      const int low = block.ql[i / 128 * 64 + i % 64] >> (i % 128 / 64 * 4) & 0x0F;
      const int high = block.qh[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      out[i / 32].w[i % 32] = static_cast<int16_t>(((low | high << 4) - 32) * block.scales[i / 16]);
    }
    for (int part = 0; part < 8; ++part) out[part].scale = d;
  }
};

}  // namespace

void matmul_q6_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
