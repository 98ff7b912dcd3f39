// A small block with attention and a gated feed-forward part, and what tests need to take a graph apart.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/attention.h"
#include "graph/ops/embed.h"
#include "graph/ops/kv_store.h"
#include "graph/ops/matmul.h"
#include "graph/ops/mul.h"
#include "graph/ops/quantize.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/rope.h"
#include "graph/ops/rope_angles.h"
#include "graph/ops/silu.h"
#include "graph/ops/swiglu.h"

namespace minfer {

inline TensorDesc f32(std::initializer_list<int64_t> dims) {
  return {DType::kF32, Shape(dims)};
}

inline TensorDesc i32(std::initializer_list<int64_t> dims) {
  return {DType::kI32, Shape(dims)};
}

inline KvRows kv_rows(GraphBuilder& builder) {
  return {builder.input("positions", i32({builder.rows()})), builder.input("sequences", i32({builder.rows()})),
          builder.input("block_tables", i32({builder.rows(), 5}))};
}

// Weights of the sample: 100 tokens, width 64, 4 heads and 2 key/value heads of 16, feed-forward width 96.
struct SampleWeights {
  WeightTable table;
  WeightId embedding = table.add("token_embd.weight", {DType::kQ8_0, {100, 64}}, kNone);
  WeightId norm = table.add("blk.0.attn_norm.weight", f32({64}), 0);
  WeightId q = table.add("blk.0.attn_q.weight", {DType::kQ4_0, {64, 64}}, 0);
  WeightId q_bias = table.add("blk.0.attn_q.bias", f32({64}), 0);
  WeightId k = table.add("blk.0.attn_k.weight", {DType::kQ4_0, {32, 64}}, 0);
  WeightId v = table.add("blk.0.attn_v.weight", {DType::kQ4_0, {32, 64}}, 0);
  WeightId gate = table.add("blk.0.ffn_gate.weight", {DType::kF16, {96, 64}}, 0);
  WeightId up = table.add("blk.0.ffn_up.weight", {DType::kF16, {96, 64}}, 0);
};

// 15 nodes; inputs: tokens, positions, sequences, block_tables; output: blk.0.ffn_act.
inline Graph sample_graph(const SampleWeights& weights, int64_t rows) {
  GraphBuilder b(&weights.table, rows);
  const ValueId tokens = b.input("tokens", i32({rows}));
  const KvRows kv = kv_rows(b);
  const ValueId x = embed(b, tokens, weights.embedding, "embedding");
  RopeAnglesParams angle_params;
  angle_params.head_dim = 16;
  const ValueId angles = rope_angles(b, kv.positions, kNone, angle_params, "rope_angles");
  b.set_layer(0);
  const ValueId a = quantize(b, rms_norm(b, x, weights.norm, 1e-6F, "attn_norm"), "attn_in");
  const ValueId q =
      rope(b, matmul(b, a, weights.q, weights.q_bias, "attn_q"), angles, 16, RopePairs::kHalves, "q_rope");
  const ValueId k = matmul(b, a, weights.k, kNone, "attn_k");
  const ValueId v = matmul(b, a, weights.v, kNone, "attn_v");
  KvStoreParams store;
  store.n_kv_heads = 2;
  store.head_dim = 16;
  AttentionParams heads;
  heads.n_heads = 4;
  heads.n_kv_heads = 2;
  heads.head_dim = 16;
  const ValueId cache = kv_store(b, k, v, kv, store, "kv");
  const ValueId y = add(b, x, attention(b, q, cache, kv, heads, "attn"), "attn_out");
  const ValueId gate = silu(b, matmul(b, y, weights.gate, kNone, "ffn_gate"), "ffn_silu");
  b.output(mul(b, gate, matmul(b, y, weights.up, kNone, "ffn_up"), "ffn_act"));
  return b.take();
}

// What a graph is made of, to be broken and put together again without the builder's checks.
struct GraphParts {
  const WeightTable* weights;
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> outputs;

  explicit GraphParts(const Graph& graph)
      : weights(&graph.weights()), values(graph.values()), nodes(graph.nodes()), outputs(graph.outputs()) {}

  Node& node(const std::string& name) {
    for (Node& node : nodes) {
      if (node.name == name) return node;
    }
    fail(ErrorCode::kInternal, "no node is called '{}'", name);
  }

  Graph assemble() const {
    Graph graph(weights);
    for (Value value : values) {
      value.producer = kNone;
      graph.add_value(std::move(value));
    }
    for (const Node& node : nodes) graph.add_node(node);
    for (ValueId output : outputs) graph.add_output(output);
    return graph;
  }
};

// Text of the kInternal error that `call` throws, or "no error".
inline std::string internal_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kInternal ? error.what() : std::string("another code: ") + error.what();
  }
  return "no error";
}

}  // namespace minfer
