// The first half of a gated feed-forward block: both projections, SwiGLU, and the rounding that the down projection
// wants. Fusion makes it out of two matmuls, silu, mul and quantize.
#pragma once

#include "graph/builder.h"

namespace minfer {

struct GateUpParams : OpParams {
  DType dtype = DType::kQ8A;  // of the result: Q8A or F32

  std::string text() const override;
};

// Weights of one; the biases are both there or both kNone.
struct GateUpWeights {
  WeightId gate = kNone;       // [n_ff, n]
  WeightId up = kNone;         // [n_ff, n]
  WeightId gate_bias = kNone;  // f32 [n_ff]
  WeightId up_bias = kNone;    // f32 [n_ff]
};

// y = silu(Wg·x + bg) · (Wu·x + bu), rounded to activation blocks where the type is Q8A.
// x: [rows, n] of the activation type that both weights want. Result: [rows, n_ff].
ValueId gate_up(GraphBuilder& builder, ValueId x, const GateUpWeights& weights, const GateUpParams& params,
                const std::string& name);

}  // namespace minfer
