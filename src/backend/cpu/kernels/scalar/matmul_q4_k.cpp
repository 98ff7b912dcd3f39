#include "backend/cpu/kernels/scalar/k_parts.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "quant/q4_k.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ4_K;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;

  static void unpack(const Block& block, Weights32* out) {
    unpack_part_scales(block, out);
    for (int i = 0; i < 256; ++i) {
      out[i / 32].w[i % 32] = static_cast<int16_t>(block.qs[i / 64 * 32 + i % 32] >> (i / 32 % 2 * 4) & 0x0F);
    }
  }
};

}  // namespace

void matmul_q4_k(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
