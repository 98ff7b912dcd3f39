// The CPU's side of each op: one file per op beside this one, found through graph/op_list.inc.
#pragma once

#include "backend/cpu/node_run.h"
#include "backend/device.h"

namespace minfer::cpu {

struct OpImpl {
  // Whether a node of this op can run with these kernels.
  Support (*supports)(const Graph& graph, const Node& node, const KernelTable& kernels);
  // Computes one worker's share. All workers meet before and after.
  void (*run)(const NodeRun& run, Share share);
  // Which kernel does it, and written for which instruction set.
  KernelInfo (*kernel_info)(const Graph& graph, const Node& node, const KernelTable& kernels);
  // Memory that the workers share while they run such a node, in bytes; null: none.
  int64_t (*scratch_bytes)(const Graph& graph, const Node& node) = nullptr;
};

const OpImpl& op_impl(OpId op);

#define MINFER_OP(name, Name) const OpImpl& impl_##name();
#include "graph/op_list.inc"
#undef MINFER_OP

// For ops that run whatever passed their shape rule.
inline Support takes_always(const Graph&, const Node&, const KernelTable&) {
  return {};
}

}  // namespace minfer::cpu
