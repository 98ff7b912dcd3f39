#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/iq4_table.h"
#include "quant/iq4_xs.h"
#include "quant/range32.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockIQ4_XS;
  static constexpr int kElements = 256;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    const float d = f16_to_f32(block.d);
    for (int part = 0; part < 8; ++part) {
      out[part].scale = d * static_cast<float>(scale_iq4_xs(block, part));
      for (int i = 0; i < 32; ++i) out[part].w[i] = kIq4Table[nibble32(block.qs + 16 * part, i)];
    }
  }
};

}  // namespace

void matmul_iq4_xs(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
