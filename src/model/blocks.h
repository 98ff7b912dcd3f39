// The pieces that architectures are put together from: which weights a block has, and the nodes it becomes.
#pragma once

#include <string>

#include "graph/builder.h"
#include "graph/kv_rows.h"
#include "model/hparams.h"
#include "model/weight_set.h"

namespace minfer {

// Weights of one block; kNone where the model has none.
struct BlockWeights {
  WeightId attn_norm = kNone;  // f32 [n_embd]
  WeightId q = kNone;          // [q_width, n_embd]
  WeightId k = kNone;          // [kv_width, n_embd]
  WeightId v = kNone;          // [kv_width, n_embd]
  WeightId o = kNone;          // [n_embd, q_width]
  WeightId q_bias = kNone;     // f32 [q_width]
  WeightId k_bias = kNone;     // f32 [kv_width]
  WeightId v_bias = kNone;     // f32 [kv_width]
  WeightId o_bias = kNone;     // f32 [n_embd]
  WeightId q_norm = kNone;     // f32 [head_dim]
  WeightId k_norm = kNone;     // f32 [head_dim]
  WeightId ffn_norm = kNone;   // f32 [n_embd]
  WeightId gate = kNone;       // [n_ff, n_embd]
  WeightId up = kNone;         // [n_ff, n_embd]
  WeightId down = kNone;       // [n_embd, n_ff]
  WeightId gate_bias = kNone;  // f32 [n_ff]
  WeightId up_bias = kNone;    // f32 [n_ff]
  WeightId down_bias = kNone;  // f32 [n_embd]
};

// Takes the weights of block `layer` from the file, with llama.cpp's names.
BlockWeights declare_block(WeightSet& weights, const Hparams& hparams, int layer);

// What all blocks of one step share.
struct StepValues {
  ValueId angles = kNone;  // of rope_angles
  KvRows rows;
  DType kv_dtype = DType::kF16;
};

// Attention over `x`, f32 [rows, n_embd], already normalized: projections, norms of q and k where the model has them,
// rotary embedding, the key/value cache, the output projection. Returns f32 [rows, n_embd].
ValueId build_attention(GraphBuilder& builder, const Hparams& hparams, const BlockWeights& weights,
                        const StepValues& step, ValueId x);

// down(silu(gate(x)) · up(x)). `x`: f32 [rows, n_embd], already normalized; returns the same shape.
ValueId build_feed_forward(GraphBuilder& builder, const BlockWeights& weights, ValueId x);

// A pre-norm block: h += attention(norm(h)), then h += feed_forward(norm(h)). `hidden`: f32 [rows, n_embd]; returns the
// new one. Appends its nodes to the layer that the builder is set to.
ValueId build_block(GraphBuilder& builder, const Hparams& hparams, const BlockWeights& weights, const StepValues& step,
                    ValueId hidden);

// Multiplies one activation by several weights and quantizes it at most once for all of them.
class Projection {
 public:
  // `x`: f32 [rows, n]; `name` names the quantized form.
  Projection(GraphBuilder& builder, ValueId x, std::string name) : builder_(builder), x_(x), name_(std::move(name)) {}

  ValueId operator()(WeightId weight, WeightId bias, const std::string& name);

 private:
  GraphBuilder& builder_;
  ValueId x_;
  ValueId quantized_ = kNone;
  std::string name_;
};

}  // namespace minfer
