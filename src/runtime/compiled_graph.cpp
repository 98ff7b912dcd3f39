#include "runtime/compiled_graph.h"

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
  Assignment assignment = assign(graph, devices, options.offload);
  int n_fused = 0;
  if (options.fuse) {
    FuseResult fused = fuse(graph, [&](const Graph& old_graph, const Node& candidate, NodeId old) {
      return devices.device(assignment.device[static_cast<size_t>(old)]).supports(old_graph, candidate).takes();
    });
    assignment = carry_over(assignment, fused.origin);
    graph = std::move(fused.graph);
    n_fused = fused.n_fused;
    verify(graph);
  }
  std::vector<Split> splits = split_graph(graph, assignment.device);
  MemoryPlan memory = plan_memory(graph, assignment.device, devices.size());
  const int64_t capacity = capacity_of(graph);
  return {std::move(graph), std::move(assignment), std::move(splits), std::move(memory), capacity, n_fused, 0};
}

}  // namespace minfer
