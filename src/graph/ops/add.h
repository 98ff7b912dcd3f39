// Sum of two values, element by element: residual connections.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y = a + b. a, b, result: f32 [rows, n].
ValueId add(GraphBuilder& builder, ValueId a, ValueId b, const std::string& name);

}  // namespace minfer
