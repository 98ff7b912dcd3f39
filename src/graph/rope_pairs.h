// Which elements of a head a rotary embedding rotates together.
#pragma once

#include <cstdint>

namespace minfer {

enum class RopePairs : uint8_t {
  kHalves,    // (i, i + n/2): qwen2, qwen3
  kAdjacent,  // (2i, 2i + 1): llama, whose q and k rows the converters permute
};

}  // namespace minfer
