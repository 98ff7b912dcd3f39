#include <fmt/format.h>

#include "backend/cpu/ops/op_table.h"
#include "base/error.h"
#include "quant/codec.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph& graph, const Node& node, const KernelTable&) {
  const DType table = graph.weights().at(node.weights[0]).desc.dtype;
  if (find_codec(table) != nullptr) return {};
  return {Reason::kType, fmt::format("no kernel for {} rows", dtype_name(table))};
}

void run(const NodeRun& r, Share share) {
  const TensorDesc& table = r.weight_desc(0);
  const auto dequantize = find_codec(table.dtype)->dequantize;
  const int64_t n = table.shape.row_elements();
  const auto [begin, end] = share.of(r.rows);
  for (int64_t row = begin; row < end; ++row) {
    const int32_t token = r.input_i32(0)[row];
    if (token < 0 || token >= table.shape[0]) {
      fail(ErrorCode::kInvalidArgument, "[embed] token {} lies outside the vocabulary of {}", token, table.shape[0]);
    }
    dequantize(r.weight(0).data + token * table.row_bytes(), r.output_f32(0) + row * n, n);
  }
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable&) {
  return {"embed", "scalar"};
}

}  // namespace

const OpImpl& impl_embed() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
