// Cosines and sines of the rotary position embedding, once per step for all layers (Su et al. 2021, "RoFormer").
#pragma once

#include "graph/builder.h"

namespace minfer {

struct RopeAnglesParams : OpParams {
  int head_dim = 0;
  double base = 10000.0;
  float linear_factor = 1.0F;  // divides every frequency; 1 when `factors` is a weight

  std::string text() const override;
};

// freq_i = float(exp(-(2i / head_dim)·log(base)) / factor_i) in f64, rounded once; factor_i is factors[i] or the linear
// factor. angle = position · freq_i in f64; cosine and sine in f64, rounded once.
// positions: i32 [rows]; factors: f32 [head_dim / 2] or kNone.
// Result: f32 [rows, head_dim]: cos_0 … cos_{n/2-1}, sin_0 … sin_{n/2-1}.
ValueId rope_angles(GraphBuilder& builder, ValueId positions, WeightId factors, const RopeAnglesParams& params,
                    const std::string& name);

}  // namespace minfer
