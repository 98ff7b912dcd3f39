// Cuts an assigned graph into runs of nodes on one device.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "backend/device.h"
#include "graph/graph.h"

namespace minfer {

struct Split {
  DeviceId device = kCpuDevice;
  std::vector<NodeId> nodes;  // consecutive, in execution order
  std::vector<ValueId>
      inputs;  // must be staged before the split: they lie elsewhere and no earlier split staged them here
  std::vector<ValueId> foreign;  // all values that it reads from staging buffers, `inputs` included
};

// Per value: the device that it is produced on; the CPU for graph inputs; kNone for values that no node touches.
std::vector<DeviceId> home_devices(const Graph& graph, std::span<const DeviceId> device_of_node);

// Longest runs of nodes on one device, in order; none longer than `max_nodes`. Throws kInternal when a node reads
// key/value blocks of another device.
std::vector<Split> split_graph(const Graph& graph, std::span<const DeviceId> device_of_node,
                               int max_nodes = std::numeric_limits<int>::max());

}  // namespace minfer
