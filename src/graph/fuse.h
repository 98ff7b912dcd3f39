// Fusion, after assignment: a pattern of nodes is rewritten into one node, and only where the device that runs them
// claims it. Fused and unfused graphs give the same bits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace minfer {

struct FuseResult {
  Graph graph;
  std::vector<NodeId> origin;  // per node of `graph`: the node of the old graph that it is, or the last it replaces
  std::vector<std::vector<std::string>> replaces;  // per node of `graph`: names of the nodes it replaces, or none
  int n_fused = 0;                                 // how many patterns were rewritten
};

// Asks whether one device runs all of the nodes `replaced` of the unfused graph and would run `candidate` in their
// place.
using FuseClaim = std::function<bool(const Graph& graph, const Node& candidate, std::span<const NodeId> replaced)>;

// Rewrites every pattern of graph/fuse/ that is claimed, the larger ones first. A pattern whose inner values another
// node reads stays as it is. Values keep their ids; inner ones have no producer any more.
FuseResult fuse(const Graph& graph, const FuseClaim& claims);

}  // namespace minfer
