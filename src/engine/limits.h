// Sizes that an engine is built around.
#pragma once

#include <cstdint>

namespace minfer {

inline constexpr int64_t kMaxStepRows = 512;      // the largest capacity class
inline constexpr int64_t kHeadRows = 16;          // rows of logits that are computed at once
inline constexpr int64_t kMaxKvBlocks = 1 << 24;  // 2^30 positions
inline constexpr int kMaxGraphs = 24;             // compiled graphs kept: all classes of body and head

}  // namespace minfer
