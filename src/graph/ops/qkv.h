// The first half of an attention block: projections to q, k and v, norms of q and k per head where the model has them,
// rotary embedding, and k and v into the cache. Fusion makes it out of three matmuls, rms_norm, rope and kv_store.
#pragma once

#include "graph/builder.h"
#include "graph/kv_rows.h"
#include "graph/ops/rope.h"

namespace minfer {

struct QkvParams : OpParams {
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  RopePairs pairs = RopePairs::kHalves;
  DType kv_dtype = DType::kF16;  // storage: F16 or F32
  bool has_bias = false;         // of q, k and v
  bool has_norm = false;         // of the heads of q and of k
  float eps = 0;                 // of the norms

  int64_t q_width() const { return int64_t{n_heads} * head_dim; }
  int64_t kv_width() const { return int64_t{n_kv_heads} * head_dim; }
  // Where the node's weights stand: q, k, v, then the three biases, then the two norms.
  size_t bias_index(size_t projection) const { return 3 + projection; }
  size_t norm_index(size_t projection) const { return (has_bias ? 6 : 3) + projection; }
  size_t n_weights() const { return 3 + (has_bias ? 3U : 0U) + (has_norm ? 2U : 0U); }

  std::string text() const override;
};

struct QkvResult {
  ValueId q = kNone;   // f32 [rows, n_heads · head_dim], rotated
  ValueId kv = kNone;  // the layer's cache, as kv_store gives it
};

// x: [rows, n] of the activation type that the three weights want; angles: f32 [rows, head_dim] of rope_angles.
// `weights`: params.n_weights() of them, in the order above: [n_heads · head_dim, n], twice [n_kv_heads · head_dim, n],
// biases f32 of as many outputs, norms f32 [head_dim].
QkvResult qkv(GraphBuilder& builder, ValueId x, ValueId angles, const KvRows& rows, std::vector<WeightId> weights,
              const QkvParams& params, const std::string& name);

}  // namespace minfer
