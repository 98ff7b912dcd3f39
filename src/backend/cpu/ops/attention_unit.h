// What attention works on at once: some query heads that share a key/value head, for some rows of one sequence.
#pragma once

#include <cstdint>

#include "backend/cpu/ops/kv_access.h"
#include "graph/ops/attention.h"

namespace minfer::cpu {

struct UnitBounds {
  int64_t row_begin;
  int64_t row_end;
  int head_begin;
  int head_end;
};

// How a step is cut into units.
class UnitCut {
 public:
  UnitCut(const AttentionParams& p, const RowAccess& access, int64_t n_rows, int n_threads);

  // fn(const UnitBounds&) for all units, rows ascending.
  template <typename Fn>
  void for_each(Fn fn) const {
    for (int64_t row = 0; row < n_rows_;) {
      const int64_t row_end = end_of_rows(row);
      for (int group = 0; group < n_heads_; group += group_) {
        for (int head = group; head < group + group_; head += heads_) {
          fn(UnitBounds{row, row_end, head, head + heads_ < group + group_ ? head + heads_ : group + group_});
        }
      }
      row = row_end;
    }
  }

 private:
  int64_t end_of_rows(int64_t row_begin) const;

  const RowAccess& access_;
  int64_t n_rows_;
  int n_heads_;
  int group_;     // query heads per key/value head
  int heads_;     // of a unit, at most
  int64_t rows_;  // of a unit, at most
};

// Sums over no position at all: what spans are merged into. `o` is set to zeros.
AttentionPartial empty_attention(float* o, int head_dim);

// The queries of a unit: heads of its first row, then of the next; none attends to less than the one before.
class AttentionUnit {
 public:
  // Checks the positions and sequences of its rows.
  AttentionUnit(const NodeRun& r, const RowAccess& access, const UnitBounds& bounds);

  // The results of all queries.
  void run();

  // done(row, head, const AttentionPartial&) for each query that reaches into the span which starts at `begin`.
  template <typename Done>
  void run_span(int64_t begin, Done done) {
    compute_span(begin);
    for (int i = first_in(begin); i < n_; ++i) {
      done(bounds_.row_begin + i / n_heads(), bounds_.head_begin + i % n_heads(), queries_[i].part);
    }
  }

 private:
  static constexpr int kMaxQueries = 64;
  friend class UnitCut;

  int n_heads() const { return bounds_.head_end - bounds_.head_begin; }
  int first_in(int64_t begin) const;
  void compute_span(int64_t begin);

  const NodeRun& r_;
  UnitBounds bounds_;
  AttentionArgs args_;
  int n_ = 0;
  AttentionQuery queries_[kMaxQueries];
  int64_t at_[kMaxQueries];       // in q and in the result
  int64_t context_[kMaxQueries];  // positions that a query attends to
  float o_[kMaxAttentionFloats];  // partial results
};

}  // namespace minfer::cpu
