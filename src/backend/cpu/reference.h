// Runs one node with the scalar kernels on host memory: the reference that devices and faster kernels are tested
// against, and the arithmetic of the test device.
#pragma once

#include "backend/cpu/node_run.h"

namespace minfer::cpu {

// `run.kernels` may be null: then the scalar set. Throws what the op throws.
void run_node_reference(NodeRun run);

}  // namespace minfer::cpu
