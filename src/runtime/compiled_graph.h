// A graph made ready to run on the devices of an engine: assigned, fused, cut into splits, placed in arenas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/assign.h"
#include "runtime/planner.h"
#include "runtime/split.h"

namespace minfer {

struct CompileOptions {
  OffloadPlan offload;
  bool fuse = true;
};

struct CompiledGraph {
  Graph graph;            // fused
  Assignment assignment;  // of `graph`; a fused node has the answers that its last node got
  std::vector<Split> splits;
  MemoryPlan memory;
  int64_t capacity = 0;                            // rows that it was built for
  int n_fused = 0;                                 // patterns that were rewritten
  std::vector<std::vector<std::string>> replaces;  // [node]: names of the nodes that a fused one stands for
  uint64_t uid = 0;                                // distinguishes the graphs of one executor; given by the graph cache
};

// Throws kInternal for a graph that is not valid, kUnsupported as assign does.
CompiledGraph compile(Graph graph, const DeviceSet& devices, const CompileOptions& options);

}  // namespace minfer
