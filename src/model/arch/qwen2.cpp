// Qwen2, Qwen2.5 and DeepSeek-R1-Distill-Qwen: biases on q, k and v.
#include "model/arch.h"

namespace minfer {
namespace {

void configure(Hparams& hparams) {
  hparams.rope_pairs = RopePairs::kHalves;
}

}  // namespace

const Architecture& arch_qwen2() {
  static const Architecture arch{"qwen2", configure, declare_block, build_block};
  return arch;
}

}  // namespace minfer
