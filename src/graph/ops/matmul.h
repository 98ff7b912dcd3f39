// A projection: every row times a weight matrix, plus an optional bias. The order of its sums is docs/numerics.md's.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y[r][o] = Σ_k w[o][k] · x[r][k] (+ bias[o], one addition after the sum).
// w: [out, in]. x: Q8A [rows, in] for block-quantized weights, f32 [rows, in] for F32, F16 and BF16 ones.
// bias: f32 [out] or kNone. Result: f32 [rows, out].
ValueId matmul(GraphBuilder& builder, ValueId x, WeightId w, WeightId bias, const std::string& name);

// Type that x must have for a weight of type `weight`: Q8A or F32.
DType matmul_activation_dtype(DType weight);

}  // namespace minfer
