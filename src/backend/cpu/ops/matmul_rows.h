// A part of a projection, for ops that go on with its result at once.
#pragma once

#include <string>

#include "backend/cpu/node_run.h"
#include "backend/reason.h"

namespace minfer::cpu {

// Rows of a fused op's scratch: results of that many rows are worked on while they are in the cache.
inline constexpr int64_t kScratchRows = 64;

struct MatmulRows {
  size_t input = 0;             // operand of the node: activations
  size_t weight = 0;            // operand of the node: [out, in]
  const float* bias = nullptr;  // [out] or null
  int64_t row_begin = 0;        // rows of the step
  int64_t row_end = 0;
  int64_t out_begin = 0;  // a multiple of 16
  int64_t out_end = 0;
  float* y = nullptr;  // [row_end - row_begin][y_stride]: outputs out_begin … out_end-1
  int64_t y_stride = 0;
};

// Raw weights whose kernels read panels are interleaved on the way, panel by panel.
void run_matmul(const NodeRun& r, Share share, const MatmulRows& part);

// Whether run_matmul has a kernel for weight operand `weight` of a node.
Support supports_matmul(const Graph& graph, const Node& node, size_t weight, const KernelTable& kernels);

// The instruction set that run_matmul uses for weights of a type.
std::string matmul_isa(const KernelTable& kernels, DType dtype);

}  // namespace minfer::cpu
