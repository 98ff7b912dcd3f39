// From when to when the values of a graph must keep their memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/device.h"
#include "graph/graph.h"

namespace minfer {

// Node indexes, both ends included. Graph inputs live from -1, graph outputs until n_nodes.
struct LiveInterval {
  ValueId value = kNone;
  DeviceId device = kCpuDevice;  // where the value lies
  NodeId first = 0;
  NodeId last = 0;
  int64_t size_bytes = 0;
};

// One interval per value that lives in an arena, by value id: graph inputs and activations that a node produces, not
// key/value blocks. A reader on another device counts too: its copy is enqueued before it runs.
std::vector<LiveInterval> live_intervals(const Graph& graph, std::span<const DeviceId> device_of_node);

}  // namespace minfer
