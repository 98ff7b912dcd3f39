#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "quant/mxfp4.h"
#include "quant/range32.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockMXFP4;
  static constexpr int kElements = 32;
  static constexpr Fold kFold = Fold::kScale;

  static void unpack(const Block& block, Weights32* out) {
    out->scale = scale_mxfp4(block.e);
    for (int i = 0; i < 32; ++i) out->w[i] = kMxfp4Table[nibble32(block.qs, i)];
  }
};

}  // namespace

void matmul_mxfp4(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
