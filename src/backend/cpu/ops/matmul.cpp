#include "graph/ops/matmul.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const DType weight = graph.weights().at(node.weights[0]).desc.dtype;
  if (kernels.matmul[dtype_index(weight)].run != nullptr) return {};
  return {Reason::kType, fmt::format("no kernel for {} weights", dtype_name(weight))};
}

void run(const NodeRun& r, Share share) {
  const TensorDesc& weight = r.weight_desc(0);
  MatmulArgs args;
  args.weight = r.weight(0).data;
  args.weight_row_bytes = weight.row_bytes();
  args.x = r.inputs[0];
  args.x_row_bytes = r.input_desc(0).row_bytes();
  args.n_in = weight.shape[1];
  args.n_rows = r.rows;
  args.y = r.output_f32(0);
  args.y_stride = weight.shape[0];
  args.bias = r.node->weights.size() == 2 ? r.weight_f32(1) : nullptr;
  const int64_t tile = std::max<int64_t>(1, kTileProducts / (args.n_in * args.n_rows));
  for_each_tile(r, share, weight.shape[0], tile, [&](int64_t begin, int64_t end) {
    args.out_begin = begin;
    args.out_end = end;
    r.kernels->matmul[dtype_index(weight.dtype)].run(args);
  });
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const DType weight = graph.weights().at(node.weights[0]).desc.dtype;
  return {fmt::format("matmul {}", dtype_name(weight)), std::string(kernels.matmul[dtype_index(weight)].isa)};
}

}  // namespace

const OpImpl& impl_matmul() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
