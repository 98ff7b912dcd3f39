// Causal attention of each row over its own sequence, with grouped query heads and an online softmax
// (Milakov & Gimelshein 2018); the order of every sum is docs/numerics.md's.
#pragma once

#include "graph/builder.h"
#include "graph/kv_rows.h"

namespace minfer {

// A span is computed by one worker and merged with the others in order.
inline constexpr int kAttentionSpan = 512;

struct AttentionParams : OpParams {
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;

  std::string text() const override;
};

// o[r][h] = Σ_j softmax_j(q[r][h]·k[j] / sqrt(head_dim)) · v[j], j = 0 … position of r.
// q, result: f32 [rows, n_heads · head_dim]; kv: result of the layer's kv_store.
ValueId attention(GraphBuilder& builder, ValueId q, ValueId kv, const KvRows& rows, const AttentionParams& params,
                  const std::string& name);

}  // namespace minfer
