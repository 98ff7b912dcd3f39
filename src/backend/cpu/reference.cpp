#include "backend/cpu/reference.h"

#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {

void run_node_reference(NodeRun run) {
  if (run.kernels == nullptr) run.kernels = &scalar_kernels();
  op_impl(run.node->op).run(run, Share{0, 1});
}

}  // namespace minfer::cpu
