#include <algorithm>
#include <limits>

#include "backend/cpu/kernels/kv_layout.h"
#include "backend/cpu/kernels/scalar/reduce.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/exact_math.h"
#include "base/half.h"

namespace minfer::cpu::scalar {
namespace {

float load(uint16_t value) {
  return f16_to_f32(value);
}

float load(float value) {
  return value;
}

// s_j = (Σ_d k_jd·q_d, one chain) · scale for the first n positions of a block.
template <typename T>
void block_scores(const T* block, const AttentionArgs& args, const float* q, int n, float* score) {
  const int head_dim = args.kv.head_dim;
  for (int tile = 0; tile * kKvTile < n; ++tile) {
    float acc[kKvTile] = {};
    const T* k = block + k_index(args.kv_head, tile * kKvTile, 0, head_dim);
    const int lanes = std::min(kKvTile, n - tile * kKvTile);
    for (int d = 0; d < head_dim; ++d) {
      for (int j = 0; j < lanes; ++j) acc[j] = std::fmaf(load(k[d * kKvTile + j]), q[d], acc[j]);
    }
    for (int j = 0; j < lanes; ++j) score[tile * kKvTile + j] = acc[j] * args.scale;
  }
}

// M = max(m, max s); c = exp(m - M); p = exp(s - M); l = fma(l, c, Σp); o = o·c, then o = fma(p_j, v_j, o).
template <typename T>
void add_block(const T* block, const AttentionArgs& args, const float* q, int n, AttentionPartial& partial) {
  float p[kKvBlockPositions];
  block_scores(block, args, q, n, p);
  const float m = max_of(partial.max, maximum(p, n));
  const float c = exact_expf(partial.max - m);
  for (int j = 0; j < n; ++j) p[j] = exact_expf(p[j] - m);
  partial.sum = std::fmaf(partial.sum, c, sum(p, n));
  partial.max = m;
  const int head_dim = args.kv.head_dim;
  for (int d = 0; d < head_dim; ++d) partial.o[d] = partial.o[d] * c;
  for (int j = 0; j < n; ++j) {
    const T* v = block + v_index(args.kv_head, j, head_dim, args.kv.n_kv_heads);
    for (int d = 0; d < head_dim; ++d) partial.o[d] = std::fmaf(p[j], load(v[d]), partial.o[d]);
  }
}

template <typename T>
void span(const AttentionArgs& args, AttentionQuery& query) {
  query.part.max = -std::numeric_limits<float>::infinity();
  query.part.sum = 0.0F;
  std::fill_n(query.part.o, args.kv.head_dim, 0.0F);
  for (int64_t position = args.begin; position < query.end; position += kKvBlockPositions) {
    const int32_t id = args.block_table[position / kKvBlockPositions];
    const T* block = reinterpret_cast<const T*>(args.kv.blocks + id * args.kv.block_bytes);
    const auto n = static_cast<int>(std::min<int64_t>(kKvBlockPositions, query.end - position));
    add_block(block, args, query.q, n, query.part);
  }
}

}  // namespace

void attention_span(const AttentionArgs& args) {
  for (int i = 0; i < args.n_queries; ++i) {
    if (args.kv.dtype == DType::kF16) {
      span<uint16_t>(args, args.queries[i]);
    } else {
      span<float>(args, args.queries[i]);
    }
  }
}

}  // namespace minfer::cpu::scalar
