// Sequences with keys and values, and the blocks that hold them: what the kv_store and attention cases feed.
#pragma once

#include "graph/kv_rows.h"
#include "tests/ops/conformance.h"

namespace minfer::ops_test {

struct KvShape {
  int n_kv_heads;
  int head_dim;
  DType dtype;

  int64_t width() const { return int64_t{n_kv_heads} * head_dim; }
};

// One sequence: keys and values of all its positions, [position][width].
struct Sequence {
  int64_t n_positions;
  std::vector<float> k;
  std::vector<float> v;
  std::vector<int32_t> blocks;  // block id per 64 positions
};

// Sequences of these lengths; block ids are scattered over a pool with `spare` blocks more than needed.
std::vector<Sequence> make_sequences(const std::vector<int64_t>& lengths, const KvShape& shape, int64_t spare,
                                     Fill fill, uint64_t seed);

// The number of blocks of the pool that make_sequences drew from.
int64_t pool_blocks(const std::vector<int64_t>& lengths, int64_t spare);

// A row of a step: a position of a sequence.
struct KvRow {
  int32_t sequence;
  int32_t position;
};

// The inputs of a graph with key/value ops, and their data.
class KvInputs {
 public:
  // `max_blocks`: the width of the block tables.
  KvInputs(OpCase& c, const KvShape& shape, int64_t max_blocks);

  KvRows rows;
  ValueId k;
  ValueId v;

  // Feeds the current step with the rows' positions, tables, keys and values.
  void feed(const std::vector<Sequence>& sequences, const std::vector<KvRow>& step_rows) const;

 private:
  OpCase& case_;
  int64_t width_;
  int64_t max_blocks_;
};

}  // namespace minfer::ops_test
