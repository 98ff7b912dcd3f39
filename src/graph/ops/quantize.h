// Rounds activations to int8 blocks of 32, once for all projections that read them (docs/numerics.md, "Matmul").
#pragma once

#include "graph/builder.h"

namespace minfer {

// x: f32 [rows, n], n a multiple of 32. Result: Q8A [rows, n].
ValueId quantize(GraphBuilder& builder, ValueId x, const std::string& name);

}  // namespace minfer
