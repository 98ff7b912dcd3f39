// Says for every node of a step where it runs, with which kernel, what it moves, and why it is not elsewhere.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace minfer {

// Nodes of one op that run alike.
struct ExplainGroup {
  std::string op;
  std::string device;
  std::string kernel;
  std::string isa;
  std::string layout;  // of the weights; "" without a matrix
  std::string layers;  // "0-23", "0-3,5", or "-" outside the blocks
  int n_nodes = 0;
  Cost cost;  // of all of them, for one step of one row
  std::string
      reason;  // why devices asked before did not take it: "cuda: fence"; empty when the first one asked took it
};

struct ExplainNode {
  std::string name;
  std::string op;
  std::string maths;
  std::string params;
  std::string layer;                  // "-" outside the blocks
  std::vector<std::string> replaces;  // nodes of the unfused graph that this one stands for; none for a plain node
  KernelInfo kernel;
  Cost cost;
  std::vector<DeviceAnswer> answers;  // in the order of asking; the last one runs it
};

struct ExplainReport {
  std::vector<ExplainGroup> groups;  // in order of the first node
  std::vector<ExplainNode> nodes;    // of body and head, in execution order
  int n_splits = 0;
  int n_fused = 0;
  Cost total;
};

// For a step of `rows` rows with `context` positions behind each.
ExplainReport explain(Engine& engine, int64_t rows, int64_t context);

// {device, kernel, isa, layout, replaces, reason} of a node of a compiled graph, for exports.
std::vector<std::pair<std::string, std::string>> node_notes(const DeviceSet& devices, const CompiledGraph& compiled,
                                                            NodeId id);

}  // namespace minfer
