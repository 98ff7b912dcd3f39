#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/interleave.h"
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

// A row of interleaved weights, through a buffer that some blocks of the file's form fit.
void embed_interleaved(const NodeRun& r, int32_t token, float* out) {
  constexpr int64_t kBufferBytes = 4096;
  std::byte buffer[kBufferBytes];
  const TensorDesc& table = r.weight_desc(0);
  const DTypeInfo& type = dtype_info(table.dtype);
  const int64_t n = table.shape.row_elements();
  const std::byte* panel = r.weight(0).data + token / kPanelRows * panel_bytes(table.dtype, n);
  const int64_t step = kBufferBytes / type.block_bytes;
  const int64_t n_blocks = n / type.block_elements;
  for (int64_t block = 0; block < n_blocks; block += step) {
    const int64_t count = std::min(step, n_blocks - block);
    deinterleave(table.dtype, n, panel, token % kPanelRows, block, count, buffer);
    find_codec(table.dtype)->dequantize(buffer, out + block * type.block_elements, count * type.block_elements);
  }
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
    float* out = r.output_f32(0) + row * n;
    if (r.weight(0).layout == WeightLayout::kInterleaved) {
      embed_interleaved(r, token, out);
    } else {
      dequantize(r.weight(0).data + token * table.row_bytes(), out, n);
    }
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
