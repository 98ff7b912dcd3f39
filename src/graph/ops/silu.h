// SiLU, the activation of a gated feed-forward block.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y = x / (1 + exp(-x)). x, result: f32 [rows, n].
ValueId silu(GraphBuilder& builder, ValueId x, const std::string& name);

}  // namespace minfer
