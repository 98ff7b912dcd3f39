// Chooses the device of every node, and keeps what each device that was asked has answered.
#pragma once

#include <string>
#include <vector>

#include "runtime/device_set.h"
#include "runtime/offload_plan.h"

namespace minfer {

struct DeviceAnswer {
  Backend backend{0};
  std::string device;   // its name; the backend's when it is kept out
  DeviceId id = kNone;  // kNone when it is kept out
  Support support;
};

struct Assignment {
  std::vector<DeviceId> device;                    // [node]
  std::vector<std::vector<DeviceAnswer>> answers;  // [node], in the order of asking; the last one takes the node
};

// Each node goes to the first device, by priority, that takes it. A kv_store goes only where the nodes that read its
// result can follow, and they follow. Throws kUnsupported with node, op and all answers when no device takes a node.
Assignment assign(const Graph& graph, const DeviceSet& devices, const OffloadPlan& plan);

}  // namespace minfer
