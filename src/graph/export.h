// A graph as DOT (Graphviz) or JSON. What the graph itself does not know (device, kernel, reasons) comes from the
// caller.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace minfer {

// Further fields of a node as (name, text) pairs, such as {"device", "cpu"}. An empty function adds none.
using NodeNotes = std::function<std::vector<std::pair<std::string, std::string>>(NodeId)>;

std::string to_dot(const Graph& graph, const NodeNotes& notes);

// {"nodes": [{id, name, op, maths, layer, inputs, weights, outputs, params, cost, …notes}], "values": […],
// "inputs": […], "outputs": […]}; costs are for `use`.
std::string to_json(const Graph& graph, const CostInput& use, const NodeNotes& notes);

}  // namespace minfer
