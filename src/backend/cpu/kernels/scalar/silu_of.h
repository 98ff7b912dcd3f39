// SiLU of one number, for silu and swiglu.
#pragma once

#include "base/exact_math.h"

namespace minfer::cpu::scalar {

inline float silu_of(float x) {
  return x / (1.0F + exact_expf(-x));
}

}  // namespace minfer::cpu::scalar
