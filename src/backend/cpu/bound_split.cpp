#include "backend/cpu/bound_split.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/barriers.h"
#include "base/error.h"

namespace minfer::cpu {
namespace {

// For each node of a split, the staged values that it is the first to read.
std::vector<std::vector<ValueId>> awaited_by_node(const SplitWork& work) {
  std::vector<std::vector<ValueId>> awaited(work.nodes.size());
  for (ValueId value : work.staged) {
    for (size_t i = 0; i < work.nodes.size(); ++i) {
      const std::vector<ValueId>& inputs = work.graph->node(work.nodes[i]).inputs;
      if (std::find(inputs.begin(), inputs.end(), value) == inputs.end()) continue;
      awaited[i].push_back(value);
      break;
    }
  }
  return awaited;
}

}  // namespace

BoundSplit::BoundSplit(const SplitWork& work, const std::function<NodeRun(NodeId)>& bind, MemoryLedger& ledger) {
  const std::vector<bool> barrier_before = find_barriers(*work.graph, work.nodes, work.buffers);
  std::vector<std::vector<ValueId>> awaited = awaited_by_node(work);
  for (size_t i = 0; i < work.nodes.size(); ++i) {
    NodeRun run = bind(work.nodes[i]);
    const OpImpl& impl = op_impl(run.node->op);
    const bool meets = barrier_before[i] || !awaited[i].empty();
    nodes_.push_back({run, &impl, std::move(awaited[i]), meets});
  }
  share_scratch(ledger);
}

// Gives all nodes that want scratch the same memory, and keeps two of them from running at once.
void BoundSplit::share_scratch(MemoryLedger& ledger) {
  int64_t most = 0;
  bool is_in_use = false;  // since the workers last met
  std::vector<BoundNode*> users;
  for (BoundNode& node : nodes_) {
    const int64_t bytes =
        node.impl->scratch_bytes == nullptr ? 0 : node.impl->scratch_bytes(*node.run.graph, *node.run.node);
    if (bytes > 0) {
      users.push_back(&node);
      most = std::max(most, bytes);
      node.meets = node.meets || is_in_use;
    }
    is_in_use = bytes > 0 || (is_in_use && !node.meets);
  }
  if (users.empty()) return;
  scratch_ = TrackedBuffer(ledger, MemoryTag::kScratch, static_cast<size_t>(most), "scratch of a graph");
  for (BoundNode* node : users) node->run.scratch = scratch_.data();
}

void BoundSplit::run(ThreadPool& pool, const SplitWork& work, const AwaitStaged& await,
                     const std::function<std::byte*(int thread)>& panel_scratch) {
  for (BoundNode& node : nodes_) {
    node.run.rows = work.rows;
    node.run.cancel = work.cancel;
  }
  pool.run([&](Region& region) {
    const Share share{region.thread(), region.n_threads(), panel_scratch(region.thread()), &region};
    for (const BoundNode& node : nodes_) {
      if (region.thread() == 0) {
        node.run.check_cancelled();
        for (ValueId value : node.awaited) await(value);
      }
      if (node.meets) region.barrier();
      try {
        node.impl->run(node.run, share);
      } catch (const Error& error) {
        throw error.with_context(fmt::format("node '{}'", node.run.node->name));
      }
    }
  });
}

}  // namespace minfer::cpu
