// Where an element of the cache lies in the CPU's blocks: per head, K transposed in tiles of 16 positions (so that
// lanes are positions), V by position.
#pragma once

#include <cstdint>

#include "graph/kv_rows.h"

namespace minfer::cpu {

inline constexpr int kKvTile = 16;

// (Always inlined: vector kernels are compiled for CPUs that the rest of the program must not need.)

// Index of K element (head, position, dim) in a block; `position` is inside the block.
[[gnu::always_inline]] inline int64_t k_index(int head, int position, int dim, int head_dim) {
  const int64_t head_base = int64_t{head} * kKvBlockPositions * head_dim;
  return head_base + (int64_t{position / kKvTile} * head_dim + dim) * kKvTile + position % kKvTile;
}

// Index of V element (head, position, 0); dimensions follow.
[[gnu::always_inline]] inline int64_t v_index(int head, int position, int head_dim, int n_kv_heads) {
  const int64_t k_elements = int64_t{n_kv_heads} * kKvBlockPositions * head_dim;
  return k_elements + (int64_t{head} * kKvBlockPositions + position) * head_dim;
}

}  // namespace minfer::cpu
