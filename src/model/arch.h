// What an architecture adds to the shared blocks. One file per architecture in model/arch/; the list is arch_list.inc.
#pragma once

#include <string_view>
#include <vector>

#include "model/blocks.h"
#include "model/hparams.h"

namespace minfer {

struct Architecture {
  std::string_view name;  // general.architecture
  // Sets the fields of Hparams in which architectures differ; called before the metadata is read.
  void (*configure)(Hparams& hparams);
  // The weights of one block, and its nodes.
  BlockWeights (*declare_block)(WeightSet& weights, const Hparams& hparams, int layer);
  ValueId (*build_block)(GraphBuilder& builder, const Hparams& hparams, const BlockWeights& weights,
                         const StepValues& step, ValueId hidden);
};

// The architecture of that exact name. Throws kUnsupported: Unsupported architecture: '<name>' …
const Architecture& find_architecture(std::string_view name);

#define MINFER_ARCH(name) const Architecture& arch_##name();
#include "model/arch_list.inc"
#undef MINFER_ARCH

}  // namespace minfer
