// A norm of whole rows whose result only projections with quantized weights read: fusion makes it out of rms_norm and
// quantize.
#pragma once

#include "graph/builder.h"
#include "graph/ops/rms_norm.h"

namespace minfer {

// y = quantize(rms_norm(x)). x: f32 [rows, n], n a multiple of 32; gain: f32 [n]. Result: Q8A [rows, n].
ValueId rms_norm_quantize(GraphBuilder& builder, ValueId x, WeightId gain, float eps, const std::string& name);

}  // namespace minfer
