// Rotates the pairs of every head by the angles of the row's position.
#pragma once

#include "graph/builder.h"

namespace minfer {

// Which elements of a head form a pair.
enum class RopePairs : uint8_t {
  kHalves,    // (i, i + n/2): qwen2, qwen3
  kAdjacent,  // (2i, 2i + 1): llama, whose q and k rows the converters permute
};

struct RopeParams : OpParams {
  int head_dim = 0;
  RopePairs pairs = RopePairs::kHalves;

  std::string text() const override;
};

// y0 = fma(x0, cos, -(x1·sin)); y1 = fma(x0, sin, x1·cos).
// x, result: f32 [rows, heads · head_dim]; angles: f32 [rows, head_dim] of rope_angles.
ValueId rope(GraphBuilder& builder, ValueId x, ValueId angles, int head_dim, RopePairs pairs, const std::string& name);

}  // namespace minfer
