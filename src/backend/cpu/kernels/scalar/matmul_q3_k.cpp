#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/q3_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ3_K;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    const float d = f16_to_f32(block.d);
    int8_t scales[16];
    unpack_scales_q3_k(block.scales, scales);
    for (int i = 0; i < 256; ++i) {
      const int low = block.qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      const int third_bit = block.hmask[i % 32] >> (i / 32) & 1;
      out[i / 32].w[i % 32] = static_cast<int16_t>((low + 4 * third_bit - 4) * scales[i / 16]);
    }
    for (int part = 0; part < 8; ++part) out[part].scale = d;
  }
};

}  // namespace

void matmul_q3_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
