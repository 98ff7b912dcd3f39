#include "graph/fuse.h"

#include <optional>
#include <utility>

namespace minfer {
namespace {

std::vector<int> count_readers(const Graph& graph) {
  std::vector<int> readers(static_cast<size_t>(graph.n_values()), 0);
  for (const Node& node : graph.nodes()) {
    for (ValueId input : node.inputs) ++readers[static_cast<size_t>(input)];
  }
  for (ValueId output : graph.outputs()) ++readers[static_cast<size_t>(output)];
  return readers;
}

struct Match {
  NodeId silu = kNone;
  Node fused;
};

// The swiglu that could replace `mul`, if one of its factors is a silu that only it reads.
std::optional<Match> match_swiglu(const Graph& graph, const Node& mul, const std::vector<int>& readers) {
  if (mul.op != OpId::kMul) return std::nullopt;
  for (size_t side = 0; side < 2; ++side) {
    const ValueId gate = mul.inputs[side];
    const NodeId producer = graph.value(gate).producer;
    if (producer == kNone || graph.node(producer).op != OpId::kSilu) continue;
    if (readers[static_cast<size_t>(gate)] != 1) continue;
    Match match{producer, mul};
    match.fused.op = OpId::kSwiglu;
    match.fused.inputs = {graph.node(producer).inputs[0], mul.inputs[1 - side]};
    return match;
  }
  return std::nullopt;
}

}  // namespace

FuseResult fuse(const Graph& graph, const FuseClaim& claims) {
  const std::vector<int> readers = count_readers(graph);
  std::vector<std::optional<Node>> replacement(static_cast<size_t>(graph.n_nodes()));
  std::vector<bool> dropped(static_cast<size_t>(graph.n_nodes()), false);
  FuseResult result{Graph(&graph.weights()), {}, 0};
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    std::optional<Match> match = match_swiglu(graph, graph.node(id), readers);
    if (!match || !claims(graph, match->fused, id)) continue;
    replacement[static_cast<size_t>(id)] = std::move(match->fused);
    dropped[static_cast<size_t>(match->silu)] = true;
    ++result.n_fused;
  }
  for (Value value : graph.values()) {
    value.producer = kNone;  // add_node sets it; the value of a dropped node keeps none
    result.graph.add_value(std::move(value));
  }
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    if (dropped[static_cast<size_t>(id)]) continue;
    const std::optional<Node>& fused = replacement[static_cast<size_t>(id)];
    result.graph.add_node(fused ? *fused : graph.node(id));
    result.origin.push_back(id);
  }
  for (ValueId output : graph.outputs()) result.graph.add_output(output);
  return result;
}

}  // namespace minfer
