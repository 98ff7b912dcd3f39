#include "graph/verify.h"

#include <fmt/format.h>

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

std::vector<TensorDesc> infer_outputs(const Graph& graph, const Node& node) {
  const std::vector<TensorDesc> inputs = graph.input_descs(node);
  const std::vector<TensorDesc> weights = graph.weight_descs(node);
  try {
    return op_def(node.op).infer({inputs, weights, node.params.get()});
  } catch (const Error& error) {
    throw error.with_context(fmt::format("[verify] node '{}'", node.name));
  }
}

// Values other than the cache have one row per row of the step.
void verify_rows(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  int64_t rows = kNone;
  for (ValueId input : node.inputs) {
    const Value& value = graph.value(input);
    if (value.kind == ValueKind::kKvCache) continue;
    if (rows == kNone) rows = value.desc.shape[0];
    check(value.desc.shape[0] == rows, "[verify] node '{}' reads '{}' with {} rows next to values with {}", node.name,
          value.name, value.desc.shape[0], rows);
  }
}

void verify_outputs(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  check(!node.outputs.empty(), "[verify] node '{}' has no output", node.name);
  for (ValueId output : node.outputs) {
    check(output >= 0 && output < graph.n_values() && graph.value(output).producer == id,
          "[verify] node '{}' does not own its output {}", node.name, output);
    check(graph.value(output).kind != ValueKind::kInput, "[verify] node '{}' writes the input '{}'", node.name,
          graph.value(output).name);
  }
  const std::vector<TensorDesc> inferred = infer_outputs(graph, node);
  check(inferred == graph.output_descs(node),
        "[verify] node '{}' ({}) claims outputs that its shape rule does not give", node.name, op_def(node.op).name);
}

}  // namespace

void verify(const Graph& graph) {
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    verify_reads(graph, id);
    verify_outputs(graph, id);
    verify_rows(graph, id);
  }
  check(!graph.outputs().empty(), "[verify] the graph has no output");
  for (ValueId output : graph.outputs()) {
    check(output >= 0 && output < graph.n_values() && graph.value(output).producer != kNone,
          "[verify] output {} is not produced by a node", output);
  }
}

}  // namespace minfer
