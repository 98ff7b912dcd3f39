// Qwen3 (dense): head size of its own, q and k normalized per head, no biases.
#include "model/arch.h"

namespace minfer {
namespace {

void configure(Hparams& hparams) {
  hparams.rope_pairs = RopePairs::kHalves;
  hparams.has_qk_norm = true;
  hparams.kv_width_must_match = true;
}

}  // namespace

const Architecture& arch_qwen3() {
  static const Architecture arch{"qwen3", configure, declare_block, build_block};
  return arch;
}

}  // namespace minfer
