#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/q4_0.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ4_0;
  static constexpr int kElements = 32;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    out->scale = f16_to_f32(block.d);
    for (int j = 0; j < 16; ++j) {
      out->w[j] = static_cast<int16_t>((block.qs[j] & 0x0F) - 8);
      out->w[j + 16] = static_cast<int16_t>((block.qs[j] >> 4) - 8);
    }
  }
};

}  // namespace

void matmul_q4_0(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
