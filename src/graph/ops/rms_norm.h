// Root-mean-square normalization of whole rows, or of each head in a row (the q and k norms of qwen3).
#pragma once

#include "graph/builder.h"

namespace minfer {

struct RmsNormParams : OpParams {
  float eps = 0;

  std::string text() const override;
};

// Per group of n = length of `gain`: r = 1 / sqrt(Σx² / n + eps); y = (x·r)·gain.
// x, result: f32 [rows, n · groups]; gain: f32 [n].
ValueId rms_norm(GraphBuilder& builder, ValueId x, WeightId gain, float eps, const std::string& name);

}  // namespace minfer
