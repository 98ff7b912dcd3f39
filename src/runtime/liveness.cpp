#include "runtime/liveness.h"

#include <algorithm>

#include "runtime/split.h"

namespace minfer {

std::vector<LiveInterval> live_intervals(const Graph& graph, std::span<const DeviceId> device_of_node) {
  const std::vector<DeviceId> home = home_devices(graph, device_of_node);
  std::vector<NodeId> last(static_cast<size_t>(graph.n_values()), -1);
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    for (ValueId output : graph.node(id).outputs) last[static_cast<size_t>(output)] = id;
    for (ValueId input : graph.node(id).inputs) last[static_cast<size_t>(input)] = id;
  }
  for (ValueId output : graph.outputs()) last[static_cast<size_t>(output)] = graph.n_nodes();

  std::vector<LiveInterval> intervals;
  for (ValueId id = 0; id < graph.n_values(); ++id) {
    const Value& value = graph.value(id);
    const DeviceId device = home[static_cast<size_t>(id)];
    if (device == kNone || value.kind == ValueKind::kKvCache) continue;
    const NodeId first = value.kind == ValueKind::kInput ? -1 : value.producer;
    intervals.push_back({id, device, first, last[static_cast<size_t>(id)], value.desc.size_bytes()});
  }
  return intervals;
}

}  // namespace minfer
