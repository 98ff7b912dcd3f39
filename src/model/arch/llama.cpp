// Llama 2 and 3, SmolLM2 and others that converters write as llama: q and k rows are permuted, so that pairs are
// adjacent.
#include "model/arch.h"

namespace minfer {
namespace {

void configure(Hparams& hparams) {
  hparams.rope_pairs = RopePairs::kAdjacent;
}

}  // namespace

const Architecture& arch_llama() {
  static const Architecture arch{"llama", configure, declare_block, build_block};
  return arch;
}

}  // namespace minfer
