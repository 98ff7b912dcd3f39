// Where the workers of a split must meet: not after every node, but only before one that reads what a node since the
// last meeting has written, or that writes what one has read or written.
#pragma once

#include <span>
#include <vector>

#include "backend/buffer.h"
#include "graph/graph.h"

namespace minfer::cpu {

// For each of `nodes`, in execution order, whether all workers must have finished the nodes before it when it starts.
// `buffers`: per value, where it lies; values that share bytes depend on each other. As few as any choice can have.
std::vector<bool> find_barriers(const Graph& graph, std::span<const NodeId> nodes,
                                std::span<const BufferRange> buffers);

}  // namespace minfer::cpu
