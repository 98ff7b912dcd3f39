#include "runtime/split.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"

namespace minfer {

std::vector<DeviceId> home_devices(const Graph& graph, std::span<const DeviceId> device_of_node) {
  std::vector<DeviceId> home(static_cast<size_t>(graph.n_values()), kNone);
  for (ValueId input : graph.inputs()) home[static_cast<size_t>(input)] = kCpuDevice;
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    for (ValueId output : graph.node(id).outputs) {
      home[static_cast<size_t>(output)] = device_of_node[static_cast<size_t>(id)];
    }
  }
  return home;
}

std::vector<Split> split_graph(const Graph& graph, std::span<const DeviceId> device_of_node, int max_nodes) {
  const std::vector<DeviceId> home = home_devices(graph, device_of_node);
  std::vector<Split> splits;
  std::set<std::pair<ValueId, DeviceId>> staged;
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    const DeviceId device = device_of_node[static_cast<size_t>(id)];
    const bool full = !splits.empty() && splits.back().nodes.size() >= static_cast<size_t>(max_nodes);
    if (splits.empty() || splits.back().device != device || full) splits.push_back({device, {}, {}, {}});
    Split& split = splits.back();
    split.nodes.push_back(id);
    for (ValueId input : graph.node(id).inputs) {
      if (home[static_cast<size_t>(input)] == device) continue;
      check(graph.value(input).kind != ValueKind::kKvCache,
            "[split] node '{}' reads key/value blocks of another device: '{}'", graph.node(id).name,
            graph.value(input).name);
      if (staged.emplace(input, device).second) split.inputs.push_back(input);
      const bool known = std::find(split.foreign.begin(), split.foreign.end(), input) != split.foreign.end();
      if (!known) split.foreign.push_back(input);
    }
  }
  return splits;
}

}  // namespace minfer
