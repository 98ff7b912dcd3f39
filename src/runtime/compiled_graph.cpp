#include "runtime/compiled_graph.h"

#include <algorithm>

#include "base/error.h"
#include "graph/fuse.h"
#include "graph/verify.h"

namespace minfer {
namespace {

// Dimension 0 of every value that a step fills or reads.
int64_t capacity_of(const Graph& graph) {
  const int64_t capacity = graph.value(graph.outputs()[0]).desc.shape[0];
  const auto expect_rows = [&](ValueId id) {
    const Value& value = graph.value(id);
    check(value.desc.shape.rank() > 0 && value.desc.shape[0] == capacity,
          "[compile] '{}' is {}: expected {} rows, as the graph's first output has", value.name, value.desc.to_string(),
          capacity);
  };
  for (ValueId input : graph.inputs()) expect_rows(input);
  for (ValueId output : graph.outputs()) expect_rows(output);
  return capacity;
}

// A device claims a fused node when all nodes that it replaces are its own and it runs the new one.
FuseClaim claims_of(const Assignment& assignment, const DeviceSet& devices) {
  return [&](const Graph& graph, const Node& candidate, std::span<const NodeId> replaced) {
    const DeviceId device = assignment.device[static_cast<size_t>(replaced.back())];
    const bool is_whole = std::all_of(replaced.begin(), replaced.end(),
                                      [&](NodeId id) { return assignment.device[static_cast<size_t>(id)] == device; });
    return is_whole && devices.device(device).supports(graph, candidate).takes();
  };
}

Assignment carry_over(const Assignment& old, const std::vector<NodeId>& origin) {
  Assignment assignment;
  for (NodeId id : origin) {
    assignment.device.push_back(old.device[static_cast<size_t>(id)]);
    assignment.answers.push_back(old.answers[static_cast<size_t>(id)]);
  }
  return assignment;
}

}  // namespace

CompiledGraph compile(Graph graph, const DeviceSet& devices, const CompileOptions& options) {
  verify(graph);
  CompiledGraph compiled{Graph(&graph.weights()), assign(graph, devices, options.offload), {}, {}, 0, 0, {}, 0};
  if (options.fuse) {
    FuseResult fused = fuse(graph, claims_of(compiled.assignment, devices));
    compiled.assignment = carry_over(compiled.assignment, fused.origin);
    compiled.n_fused = fused.n_fused;
    compiled.replaces = std::move(fused.replaces);
    graph = std::move(fused.graph);
    verify(graph);
  }
  compiled.replaces.resize(static_cast<size_t>(graph.n_nodes()));
  compiled.splits = split_graph(graph, compiled.assignment.device);
  compiled.memory = plan_memory(graph, compiled.assignment.device, devices.size());
  compiled.capacity = capacity_of(graph);
  compiled.graph = std::move(graph);
  return compiled;
}

}  // namespace minfer
