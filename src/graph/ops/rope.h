// Rotates the pairs of every head by the angles of the row's position.
#pragma once

#include "graph/builder.h"
#include "graph/rope_pairs.h"

namespace minfer {

struct RopeParams : OpParams {
  int head_dim = 0;
  RopePairs pairs = RopePairs::kHalves;

  std::string text() const override;
};

// y0 = fma(x0, cos, -(x1·sin)); y1 = fma(x0, sin, x1·cos).
// x, result: f32 [rows, heads · head_dim]; angles: f32 [rows, head_dim] of rope_angles.
ValueId rope(GraphBuilder& builder, ValueId x, ValueId angles, int head_dim, RopePairs pairs, const std::string& name);

}  // namespace minfer
