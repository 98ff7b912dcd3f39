// A residual connection and the norm behind it, in one pass over each row: fusion makes it out of add, rms_norm and
// quantize.
#pragma once

#include "graph/builder.h"

namespace minfer {

struct AddRmsNormParams : OpParams {
  float eps = 0;
  DType dtype = DType::kQ8A;  // of y: Q8A or F32

  std::string text() const override;
};

struct AddRmsNormResult {
  ValueId sum = kNone;  // f32 [rows, n]: the next residual
  ValueId y = kNone;    // [rows, n] of params.dtype
};

// sum = a + b; y = rms_norm(sum), rounded to activation blocks where the type is Q8A.
// a, b: f32 [rows, n]; gain: f32 [n]; n a multiple of 32 for Q8A.
AddRmsNormResult add_rms_norm(GraphBuilder& builder, ValueId a, ValueId b, WeightId gain,
                              const AddRmsNormParams& params, const std::string& name);

}  // namespace minfer
