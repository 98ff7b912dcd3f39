// Dense indexes into a graph and a weight table. -1 means "none".
#pragma once

#include <cstdint>

namespace minfer {

using NodeId = int32_t;
using ValueId = int32_t;
using WeightId = int32_t;
inline constexpr int32_t kNone = -1;

}  // namespace minfer
