// What the patterns of this folder are written with: each looks at one node, the anchor, and says which nodes around it
// one fused node could stand for. Whether it may is decided in fuse.cpp.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace minfer {

struct FuseMatch {
  std::vector<NodeId> nodes;  // replaced, in any order, the anchor among them
  Node fused;                 // name and layer are the anchor's
};

// A graph and who reads its values.
class FuseView {
 public:
  explicit FuseView(const Graph& graph);

  const Graph& graph() const { return graph_; }
  const Node& node(NodeId id) const { return graph_.node(id); }
  // The node that produces `value`, if its op is `op`; else kNone.
  NodeId producer(ValueId value, OpId op) const;
  // Nodes that read `value`, ascending; n_nodes() stands for the graph's outputs.
  const std::vector<NodeId>& readers(ValueId value) const { return readers_[static_cast<size_t>(value)]; }
  int64_t columns(ValueId value) const { return graph_.value(value).desc.shape[1]; }

 private:
  const Graph& graph_;
  std::vector<std::vector<NodeId>> readers_;  // [value]
};

// A fused node with the anchor's name and layer.
Node fused_node(const Node& anchor, OpId op);

using FusePattern = std::optional<FuseMatch>(const FuseView& view, NodeId anchor);

// kv_store: three matmuls of one input, norms of q and k or none, ropes of q and k, the store.
FusePattern match_qkv;
// quantize: two matmuls of one input, silu, mul, quantize.
FusePattern match_gate_up_quantize;
// mul: the same without quantize.
FusePattern match_gate_up;
// mul: silu, mul.
FusePattern match_swiglu;
// quantize: add, rms_norm of whole rows, quantize.
FusePattern match_add_rms_norm_quantize;
// rms_norm: add, rms_norm of whole rows.
FusePattern match_add_rms_norm;
// quantize: rms_norm of whole rows, quantize.
FusePattern match_rms_norm_quantize;

}  // namespace minfer
