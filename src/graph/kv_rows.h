// Where the rows of a step stand in their sequences: the data by which key/value ops find positions and blocks.
#pragma once

#include "graph/ids.h"

namespace minfer {

// Positions in a block of the key/value cache. Also the block of the online softmax (docs/numerics.md).
inline constexpr int kKvBlockPositions = 64;

// Inputs that a graph with key/value ops shares among them.
struct KvRows {
  ValueId positions = kNone;     // i32 [rows]: index of the row's token in its sequence
  ValueId sequences = kNone;     // i32 [rows]: row of block_tables that belongs to its sequence
  ValueId block_tables = kNone;  // i32 [rows, max_blocks]: block id per 64 positions of a sequence
};

}  // namespace minfer
