// Product of two values, element by element: the gate of a feed-forward block.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y = a · b. a, b, result: f32 [rows, n].
ValueId mul(GraphBuilder& builder, ValueId a, ValueId b, const std::string& name);

}  // namespace minfer
