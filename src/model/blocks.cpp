#include "model/blocks.h"

#include <fmt/format.h>

#include "graph/ops/add.h"
#include "graph/ops/attention.h"
#include "graph/ops/kv_store.h"
#include "graph/ops/matmul.h"
#include "graph/ops/mul.h"
#include "graph/ops/quantize.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/silu.h"

namespace minfer {

BlockWeights declare_block(WeightSet& weights, const Hparams& h, int layer) {
  const auto name = [&](const char* suffix) { return fmt::format("blk.{}.{}", layer, suffix); };
  BlockWeights w;
  w.attn_norm = weights.vector(name("attn_norm.weight"), h.n_embd, layer);
  w.q = weights.matrix(name("attn_q.weight"), h.q_width(), h.n_embd, layer);
  w.k = weights.matrix(name("attn_k.weight"), h.kv_width(), h.n_embd, layer);
  w.v = weights.matrix(name("attn_v.weight"), h.kv_width(), h.n_embd, layer);
  w.o = weights.matrix(name("attn_output.weight"), h.n_embd, h.q_width(), layer);
  w.q_bias = weights.optional_vector(name("attn_q.bias"), h.q_width(), layer);
  w.k_bias = weights.optional_vector(name("attn_k.bias"), h.kv_width(), layer);
  w.v_bias = weights.optional_vector(name("attn_v.bias"), h.kv_width(), layer);
  w.o_bias = weights.optional_vector(name("attn_output.bias"), h.n_embd, layer);
  if (h.has_qk_norm) {
    w.q_norm = weights.vector(name("attn_q_norm.weight"), h.head_dim, layer);
    w.k_norm = weights.vector(name("attn_k_norm.weight"), h.head_dim, layer);
  }
  w.ffn_norm = weights.vector(name("ffn_norm.weight"), h.n_embd, layer);
  w.gate = weights.matrix(name("ffn_gate.weight"), h.n_ff, h.n_embd, layer);
  w.up = weights.matrix(name("ffn_up.weight"), h.n_ff, h.n_embd, layer);
  w.down = weights.matrix(name("ffn_down.weight"), h.n_embd, h.n_ff, layer);
  w.gate_bias = weights.optional_vector(name("ffn_gate.bias"), h.n_ff, layer);
  w.up_bias = weights.optional_vector(name("ffn_up.bias"), h.n_ff, layer);
  w.down_bias = weights.optional_vector(name("ffn_down.bias"), h.n_embd, layer);
  return w;
}

ValueId build_attention(GraphBuilder& b, const Hparams& h, const BlockWeights& w, const StepValues& step, ValueId x) {
  Projection project(b, x, "attn_in_q8");
  ValueId q = project(w.q, w.q_bias, "attn_q");
  ValueId k = project(w.k, w.k_bias, "attn_k");
  const ValueId v = project(w.v, w.v_bias, "attn_v");
  if (h.has_qk_norm) {
    q = rms_norm(b, q, w.q_norm, h.norm_eps, "attn_q_norm");
    k = rms_norm(b, k, w.k_norm, h.norm_eps, "attn_k_norm");
  }
  q = rope(b, q, step.angles, h.head_dim, h.rope_pairs, "attn_q_rope");
  k = rope(b, k, step.angles, h.head_dim, h.rope_pairs, "attn_k_rope");
  KvStoreParams store;
  store.n_kv_heads = h.n_kv_heads;
  store.head_dim = h.head_dim;
  store.dtype = step.kv_dtype;
  const ValueId kv = kv_store(b, k, v, step.rows, store, "kv");
  AttentionParams attend;
  attend.n_heads = h.n_heads;
  attend.n_kv_heads = h.n_kv_heads;
  attend.head_dim = h.head_dim;
  const ValueId heads = attention(b, q, kv, step.rows, attend, "attn");
  return Projection(b, heads, "attn_q8")(w.o, w.o_bias, "attn_output");
}

ValueId build_feed_forward(GraphBuilder& b, const BlockWeights& w, ValueId x) {
  Projection project(b, x, "ffn_in_q8");
  const ValueId gate = project(w.gate, w.gate_bias, "ffn_gate");
  const ValueId up = project(w.up, w.up_bias, "ffn_up");
  const ValueId gated = mul(b, silu(b, gate, "ffn_silu"), up, "ffn_gated");
  return Projection(b, gated, "ffn_gated_q8")(w.down, w.down_bias, "ffn_down");
}

ValueId build_block(GraphBuilder& b, const Hparams& h, const BlockWeights& w, const StepValues& step, ValueId hidden) {
  const ValueId attn_in = rms_norm(b, hidden, w.attn_norm, h.norm_eps, "attn_norm");
  hidden = add(b, build_attention(b, h, w, step, attn_in), hidden, "attn_residual");
  const ValueId ffn_in = rms_norm(b, hidden, w.ffn_norm, h.norm_eps, "ffn_norm");
  return add(b, build_feed_forward(b, w, ffn_in), hidden, "ffn_residual");
}

ValueId Projection::operator()(WeightId weight, WeightId bias, const std::string& name) {
  if (matmul_activation_dtype(builder_.weight(weight).desc.dtype) == DType::kF32) {
    return matmul(builder_, x_, weight, bias, name);
  }
  if (quantized_ == kNone) quantized_ = quantize(builder_, x_, name_);
  return matmul(builder_, quantized_, weight, bias, name);
}

}  // namespace minfer
