// Peephole fusion, after assignment: a pattern is rewritten only into a node that the device of its last node claims.
// Fused and unfused graphs give the same bits.
#pragma once

#include <functional>
#include <vector>

#include "graph/graph.h"

namespace minfer {

struct FuseResult {
  Graph graph;
  std::vector<NodeId> origin;  // per node of `graph`: the node of the old graph that it is or replaces
  int n_fused = 0;             // how many patterns were rewritten
};

// Asks whether the device that runs node `old` of the unfused graph would run `candidate` in its place.
using FuseClaim = std::function<bool(const Graph& graph, const Node& candidate, NodeId old)>;

// mul(silu(a), b), in either order, becomes swiglu(a, b) where the silu is read by nothing else.
FuseResult fuse(const Graph& graph, const FuseClaim& claims);

}  // namespace minfer
