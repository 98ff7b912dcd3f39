#include "graph/verify.h"

#include "base/error.h"

namespace minfer {
namespace {

void verify_reads(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  for (ValueId input : node.inputs) {
    check(input >= 0 && input < graph.n_values(), "[verify] node '{}' reads value {}, which does not exist", node.name,
          input);
    const Value& value = graph.value(input);
    check(value.kind == ValueKind::kInput || value.producer < id, "[verify] node '{}' reads '{}' before it is produced",
          node.name, value.name);
    check(value.kind == ValueKind::kInput || value.producer != kNone,
          "[verify] node '{}' reads '{}', which nothing produces", node.name, value.name);
  }
  for (WeightId weight : node.weights) {
    check(weight >= 0 && static_cast<size_t>(weight) < graph.weights().all().size(),
          "[verify] node '{}' uses weight {}, which does not exist", node.name, weight);
  }
}

void verify_outputs(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  check(!node.outputs.empty(), "[verify] node '{}' has no output", node.name);
  for (ValueId output : node.outputs) {
    check(output >= 0 && output < graph.n_values() && graph.value(output).producer == id,
          "[verify] node '{}' does not own its output {}", node.name, output);
  }
  const std::vector<TensorDesc> inputs = graph.input_descs(node);
  const std::vector<TensorDesc> weights = graph.weight_descs(node);
  const std::vector<TensorDesc> inferred = op_def(node.op).infer({inputs, weights, node.params.get()});
  check(inferred == graph.output_descs(node),
        "[verify] node '{}' ({}) claims outputs that its shape rule does not give", node.name, op_def(node.op).name);
}

}  // namespace

void verify(const Graph& graph) {
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    verify_reads(graph, id);
    verify_outputs(graph, id);
  }
  check(!graph.outputs().empty(), "[verify] the graph has no output");
  for (ValueId output : graph.outputs()) {
    check(output >= 0 && output < graph.n_values() && graph.value(output).producer != kNone,
          "[verify] output {} is not produced by a node", output);
  }
}

}  // namespace minfer
