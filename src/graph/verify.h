// The one validator: runs once on every graph that is built, in release builds too.
#pragma once

#include "graph/graph.h"

namespace minfer {

// Checks that nodes read only what stands before them, that each value has one producer, that every node passes its
// op's shape rule with the outputs it claims, that the numbers of rows agree and that outputs exist. Throws kInternal
// naming the node.
void verify(const Graph& graph);

}  // namespace minfer
