#include "graph/ops/matmul.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/interleave.h"
#include "backend/cpu/ops/matmul_rows.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

constexpr int64_t kTileBytes = 256 << 10;  // of panels: they stay in the second-level cache while the rows pass by

Support supports(const Graph& graph, const Node& node, const KernelTable& kernels) {
  return supports_matmul(graph, node, 0, kernels);
}

// Panels of outputs that a tile of work has.
int64_t panels_per_tile(const NodeRun& r) {
  const TensorDesc& weight = r.weight_desc(0);
  const bool is_interleaved = r.weight(0).layout == WeightLayout::kInterleaved;
  const int64_t n = is_interleaved ? kTileBytes / panel_bytes(weight.dtype, weight.shape[1])
                                   : kTileProducts / (weight.shape[1] * r.rows * kPanelRows);
  return std::max<int64_t>(1, n);
}

void run(const NodeRun& r, Share share) {
  const int64_t n_out = r.weight_desc(0).shape[0];
  MatmulRows part;
  part.bias = r.node->weights.size() == 2 ? r.weight_f32(1) : nullptr;
  part.row_end = r.rows;
  part.y_stride = n_out;
  for_each_tile(r, share, n_panels(n_out), panels_per_tile(r), [&](int64_t begin, int64_t end) {
    part.out_begin = begin * kPanelRows;
    part.out_end = std::min(end * kPanelRows, n_out);
    part.y = r.output_f32(0) + part.out_begin;
    run_matmul(r, share, part);
  });
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const DType weight = graph.weights().at(node.weights[0]).desc.dtype;
  return {fmt::format("matmul {}", dtype_name(weight)), matmul_isa(kernels, weight)};
}

}  // namespace

const OpImpl& impl_matmul() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
