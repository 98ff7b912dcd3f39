// SwiGLU, the product of a gated and a plain projection; fusion makes it out of silu and mul.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y = silu(a) · b. a, b, result: f32 [rows, n].
ValueId swiglu(GraphBuilder& builder, ValueId a, ValueId b, const std::string& name);

}  // namespace minfer
