// silu as docs/numerics.md states it, and values worked out by hand.
#pragma once

#include <limits>

#include "base/exact_math.h"

namespace minfer::ops_test {

inline float silu_rule(float g) {
  return g / (1.0F + exact_expf(-g));
}

struct SiluValue {
  float x;
  float y;
};

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// exp(-88) is below 2^-126, hence +0; exp(89) is above the range, hence +inf; -inf / (1 + inf) is NaN.
inline constexpr SiluValue kSiluValues[] = {
    {0.0F, 0.0F},           {-0.0F, -0.0F},
    {88.0F, 88.0F},         {20.0F, 20.0F},
    {-89.0F, -0.0F},        {-1e30F, -0.0F},
    {3e38F, 3e38F},         {kInf, kInf},
    {-kInf, kNaN},          {kNaN, kNaN},
    {0x1p-149F, 0x0p0F},    {0x1p-148F, 0x1p-149F},
    {0x1p-126F, 0x1p-127F}, {-0x1p-126F, -0x1p-127F},
};

}  // namespace minfer::ops_test
