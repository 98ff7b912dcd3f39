#include "backend/cpu/kernels/scalar/matmul_blocks.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"
#include "quant/q5_1.h"
#include "quant/range32.h"

namespace minfer::cpu::scalar {
namespace {

struct Traits {
  using Block = BlockQ5_1;
  static constexpr int kElements = 32;
  static constexpr Fold kFold = Fold::kScaleAndMinimum;

  static void unpack(const Block& block, Weights32* out) {
    out->scale = f16_to_f32(block.d);
    out->minimum = f16_to_f32(block.m);
    uint32_t qh;
    std::memcpy(&qh, block.qh, sizeof(qh));
    for (int i = 0; i < 32; ++i) out->w[i] = static_cast<int16_t>(five_bits32(block.qs, qh, i));
  }
};

}  // namespace

void matmul_q5_1(const MatmulArgs& args) {
  matmul_blocks<Traits>(args);
}

}  // namespace minfer::cpu::scalar
