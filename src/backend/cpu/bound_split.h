// A split bound to host memory: worked out once and run step after step while its values stay where they are.
#pragma once

#include <functional>
#include <vector>

#include "backend/cpu/node_run.h"
#include "backend/cpu/ops/op_table.h"
#include "backend/device.h"
#include "base/memory_ledger.h"
#include "base/thread_pool.h"

namespace minfer::cpu {

class BoundSplit {
 public:
  // `bind` gives each node its memory but scratch, which is reserved in `ledger`. Only graph, nodes, buffers and staged
  // values of `work` are looked at; the graph must outlive the object.
  BoundSplit(const SplitWork& work, const std::function<NodeRun(NodeId)>& bind, MemoryLedger& ledger);

  // Runs the nodes in one parallel region, for the rows of `work`; `panel_scratch` gives each worker's own
  // (node_run.h). Throws the first failure, naming its node.
  void run(ThreadPool& pool, const SplitWork& work, const AwaitStaged& await,
           const std::function<std::byte*(int thread)>& panel_scratch);

 private:
  struct BoundNode {
    NodeRun run;
    const OpImpl* impl;
    std::vector<ValueId> awaited;  // staged values that it is the first to read
    bool meets;                    // all workers have finished what stands before
  };

  void share_scratch(MemoryLedger& ledger);

  std::vector<BoundNode> nodes_;
  TrackedBuffer scratch_;  // of one node at a time
};

}  // namespace minfer::cpu
