#include "backend/cpu/ops/attention_unit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace minfer::cpu {
namespace {

constexpr int64_t kUnitsPerThread = 2;  // at least, where there are rows enough
constexpr int64_t kWholeTile = 8;       // rows that fill register tiles whatever the number of heads

}  // namespace

UnitCut::UnitCut(const AttentionParams& p, const RowAccess& access, int64_t n_rows, int n_threads)
    : access_(access), n_rows_(n_rows), n_heads_(p.n_heads), group_(p.n_heads / p.n_kv_heads) {
  const int queries = std::min(AttentionUnit::kMaxQueries, kMaxAttentionFloats / p.head_dim);
  heads_ = std::min(group_, queries);
  const int64_t fair = n_rows * p.n_kv_heads / (kUnitsPerThread * n_threads);
  rows_ = std::min<int64_t>(queries / heads_, std::max<int64_t>(fair, 1));
  if (rows_ > kWholeTile) rows_ = rows_ / kWholeTile * kWholeTile;
}

// Rows from row_begin on that belong to one sequence, none before the last one's position.
int64_t UnitCut::end_of_rows(int64_t row_begin) const {
  const int64_t limit = std::min(row_begin + rows_, n_rows_);
  int64_t row = row_begin + 1;
  while (row < limit && access_.sequences[row] == access_.sequences[row - 1] &&
         access_.positions[row] >= access_.positions[row - 1]) {
    ++row;
  }
  return row;
}

AttentionPartial empty_attention(float* o, int head_dim) {
  std::fill_n(o, head_dim, 0.0F);
  return {-std::numeric_limits<float>::infinity(), 0.0F, o};
}

AttentionUnit::AttentionUnit(const NodeRun& r, const RowAccess& access, const UnitBounds& bounds)
    : r_(r), bounds_(bounds) {
  const auto& p = params_as<AttentionParams>(*r.node);
  const TensorDesc& kv = r.input_desc(1);
  args_.kv = {const_cast<std::byte*>(r.inputs[1]), kv.size_bytes(), kv.dtype, p.n_kv_heads, p.head_dim};
  args_.block_table = access.table(bounds.row_begin);
  args_.kv_head = bounds.head_begin / (p.n_heads / p.n_kv_heads);
  args_.scale = 1.0F / std::sqrt(static_cast<float>(p.head_dim));
  for (int64_t row = bounds.row_begin; row < bounds.row_end; ++row) {
    access.check(row);
    for (int head = bounds.head_begin; head < bounds.head_end; ++head, ++n_) {
      at_[n_] = (row * p.n_heads + head) * p.head_dim;
      context_[n_] = int64_t{access.positions[row]} + 1;
      queries_[n_].q = r.input_f32(0) + at_[n_];
      queries_[n_].part.o = o_ + n_ * p.head_dim;
    }
  }
}

int AttentionUnit::first_in(int64_t begin) const {
  int first = 0;
  while (context_[first] <= begin) ++first;
  return first;
}

void AttentionUnit::compute_span(int64_t begin) {
  r_.check_cancelled();
  const int first = first_in(begin);
  args_.begin = begin;
  args_.queries = queries_ + first;
  args_.n_queries = n_ - first;
  for (int i = first; i < n_; ++i) queries_[i].end = std::min(begin + kAttentionSpan, context_[i]);
  r_.kernels->attention_span.run(args_);
}

void AttentionUnit::run() {
  const int head_dim = args_.kv.head_dim;
  AttentionPartial all[kMaxQueries];
  for (int i = 0; i < n_; ++i) all[i] = empty_attention(r_.output_f32(0) + at_[i], head_dim);
  for (int64_t begin = 0; begin < context_[n_ - 1]; begin += kAttentionSpan) {
    compute_span(begin);
    for (int i = first_in(begin); i < n_; ++i) r_.kernels->attention_merge.run(queries_[i].part, all[i], head_dim);
  }
  for (int i = 0; i < n_; ++i) r_.kernels->attention_finish.run(all[i], head_dim);
}

}  // namespace minfer::cpu
