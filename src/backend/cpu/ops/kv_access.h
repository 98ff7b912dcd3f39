// How the CPU's key/value ops find blocks: shared by kv_store and attention.
#pragma once

#include "backend/cpu/node_run.h"
#include "base/error.h"
#include "graph/kv_rows.h"

namespace minfer::cpu {

// The step's row data, in the order in which both ops take it from input `first` on.
struct RowAccess {
  const int32_t* positions;
  const int32_t* sequences;
  const int32_t* block_tables;
  int64_t n_tables;
  int64_t max_blocks;

  RowAccess(const NodeRun& r, size_t first)
      : positions(r.input_i32(first)),
        sequences(r.input_i32(first + 1)),
        block_tables(r.input_i32(first + 2)),
        n_tables(r.input_desc(first + 2).shape[0]),
        max_blocks(r.input_desc(first + 2).shape[1]) {}

  // Positions and sequences are data: kInternal where they lead outside the tables.
  void check(int64_t row) const {
    const int32_t position = positions[row];
    if (position < 0 || position >= max_blocks * kKvBlockPositions) {
      fail(ErrorCode::kInternal, "[kv] position {} lies outside the context of {}", position,
           max_blocks * kKvBlockPositions);
    }
    if (sequences[row] < 0 || sequences[row] >= n_tables) {
      fail(ErrorCode::kInternal, "[kv] sequence {} has no block table among {}", sequences[row], n_tables);
    }
  }

  // Block ids of the row's sequence, checked.
  const int32_t* table(int64_t row) const {
    check(row);
    return block_tables + sequences[row] * max_blocks;
  }
};

}  // namespace minfer::cpu
