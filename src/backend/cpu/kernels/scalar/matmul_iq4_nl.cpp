#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/iq4_nl.h"
#include "quant/iq4_table.h"
#include "quant/range32.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockIQ4_NL;
  static constexpr int kElements = 32;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    out->scale = f16_to_f32(block.d);
    for (int i = 0; i < 32; ++i) out->w[i] = kIq4Table[nibble32(block.qs, i)];
  }
};

}  // namespace

void matmul_iq4_nl(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
