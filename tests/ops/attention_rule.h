// Attention as docs/numerics.md states it, written from that page, and the real function in f64.
#pragma once

#include <vector>

#include "tests/ops/kv_data.h"

namespace minfer::ops_test {

// One query head over positions 0 … context-1 of a sequence.
struct Query {
  const Sequence& sequence;
  KvShape shape;
  int kv_head;
  int64_t context;
  std::vector<float> q;  // [head_dim]
};

// Spans of 512 merged in order, blocks of 64 inside, the bits that every kernel must give.
std::vector<float> attention_rule(const Query& query);

// softmax(q·K / sqrt(head_dim))·V with one softmax over all positions.
std::vector<double> attention_real(const Query& query);

}  // namespace minfer::ops_test
