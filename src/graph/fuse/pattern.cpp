#include "graph/fuse/pattern.h"

namespace minfer {

FuseView::FuseView(const Graph& graph) : graph_(graph), readers_(static_cast<size_t>(graph.n_values())) {
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    for (ValueId input : graph.node(id).inputs) readers_[static_cast<size_t>(input)].push_back(id);
  }
  for (ValueId output : graph.outputs()) readers_[static_cast<size_t>(output)].push_back(graph.n_nodes());
}

NodeId FuseView::producer(ValueId value, OpId op) const {
  const NodeId id = graph_.value(value).producer;
  return id != kNone && graph_.node(id).op == op ? id : kNone;
}

Node fused_node(const Node& anchor, OpId op) {
  Node node;
  node.op = op;
  node.name = anchor.name;
  node.layer = anchor.layer;
  return node;
}

}  // namespace minfer
