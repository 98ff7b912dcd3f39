// Places the values of a graph in one arena per device, so that values share bytes whose lives do not meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/device.h"
#include "graph/graph.h"

namespace minfer {

inline constexpr int64_t kArenaAlignment = 64;

// Where a value lies; device kNone: in no arena (key/value blocks, values that nothing touches).
struct Place {
  DeviceId device = kNone;
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
};

struct ArenaPlan {
  int64_t arena_bytes = 0;      // what the arena must hold
  int64_t live_peak_bytes = 0;  // the most that lives at once: no plan can need less
  int n_buffers = 0;            // ranges that were placed; values written in place share one
  int n_reused = 0;             // buffers that take bytes of an earlier one
  int n_in_place = 0;           // values written over their node's first input
};

struct MemoryPlan {
  std::vector<Place> places;      // [value]
  std::vector<ArenaPlan> arenas;  // [device]
};

// Greedy by size (Pisarchyk & Lee 2020, "Efficient Memory Management for Deep Neural Net Inference"): the largest
// buffer first, each into the smallest gap that fits among the buffers that live at the same time. Deterministic;
// offsets are multiples of 64. Throws kOutOfMemory for a value of 2^40 bytes or more.
MemoryPlan plan_memory(const Graph& graph, std::span<const DeviceId> device_of_node, int n_devices);

}  // namespace minfer
