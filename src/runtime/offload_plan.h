// Which blocks of the model may run on devices other than the CPU.
#pragma once

#include "graph/ids.h"

namespace minfer {

struct OffloadPlan {
  int n_layers = 0;         // blocks of the model
  int n_device_layers = 0;  // blocks 0 … n_device_layers-1 may leave the CPU

  // Embedding and head (kNone) may leave it only with all blocks.
  bool allows(int layer) const {
    return layer == kNone ? n_device_layers >= n_layers : layer >= 0 && layer < n_device_layers;
  }
};

}  // namespace minfer
