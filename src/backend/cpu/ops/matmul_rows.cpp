#include "backend/cpu/ops/matmul_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/interleave.h"

namespace minfer::cpu {

namespace {

// One panel after the other through the worker's scratch.
void run_raw_panels(const MatmulArgs& raw, DType dtype, const Kernel<void(const MatmulArgs&)>& kernel, Share share) {
  MatmulArgs args = raw;
  args.weight = share.panel_scratch;
  args.weight_stride_bytes = panel_bytes(dtype, raw.n_in);
  for (int64_t out = 0; out < raw.n_out; out += kPanelRows) {
    args.n_out = std::min<int64_t>(kPanelRows, raw.n_out - out);
    args.y = raw.y + out;
    args.bias = raw.bias == nullptr ? nullptr : raw.bias + out;
    interleave(dtype, raw.n_in, raw.weight + out * raw.weight_stride_bytes, static_cast<int>(args.n_out),
               share.panel_scratch);
    kernel.run(args);
  }
}

}  // namespace

void run_matmul(const NodeRun& r, Share share, const MatmulRows& part) {
  const TensorDesc& weight = r.weight_desc(part.weight);
  const TensorDesc& x = r.input_desc(part.input);
  const WeightView& view = r.weight(part.weight);
  const size_t type = dtype_index(weight.dtype);
  MatmulArgs args;
  args.x = r.inputs[part.input] + part.row_begin * x.row_bytes();
  args.x_row_bytes = x.row_bytes();
  args.n_in = weight.shape[1];
  args.n_rows = part.row_end - part.row_begin;
  args.y = part.y;
  args.y_stride = part.y_stride;
  args.bias = part.bias == nullptr ? nullptr : part.bias + part.out_begin;
  args.n_out = part.out_end - part.out_begin;
  if (view.layout == WeightLayout::kInterleaved) {
    args.weight_stride_bytes = panel_bytes(weight.dtype, weight.shape[1]);
    args.weight = view.data + part.out_begin / kPanelRows * args.weight_stride_bytes;
    return r.kernels->matmul_panels[type].run(args);
  }
  args.weight_stride_bytes = weight.row_bytes();
  args.weight = view.data + part.out_begin * args.weight_stride_bytes;
  if (r.kernels->matmul_panels[type].run != nullptr) {
    return run_raw_panels(args, weight.dtype, r.kernels->matmul_panels[type], share);
  }
  r.kernels->matmul[type].run(args);
}

Support supports_matmul(const Graph& graph, const Node& node, size_t weight, const KernelTable& kernels) {
  const DType dtype = graph.weights().at(node.weights[weight]).desc.dtype;
  if (kernels.matmul[dtype_index(dtype)].run != nullptr) return {};
  return {Reason::kType, fmt::format("no kernel for {} weights", dtype_name(dtype))};
}

std::string matmul_isa(const KernelTable& kernels, DType dtype) {
  const size_t type = dtype_index(dtype);
  return std::string(kernels.matmul_panels[type].run != nullptr ? kernels.matmul_panels[type].isa
                                                                : kernels.matmul[type].isa);
}

}  // namespace minfer::cpu
