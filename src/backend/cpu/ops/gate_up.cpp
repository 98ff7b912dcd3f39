#include "graph/ops/gate_up.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/ops/matmul_rows.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

constexpr int64_t kUnitOutputs = kActBlockElements;

Support supports(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const Support gate = supports_matmul(graph, node, 0, kernels);
  return gate.takes() ? supports_matmul(graph, node, 1, kernels) : gate;
}

// Outputs out_begin … out_end-1 (at most 32) of rows row_begin … row_end-1 (at most 64).
struct Unit {
  int64_t row_begin;
  int64_t row_end;
  int64_t out_begin;
  int64_t out_end;
};

void project(const NodeRun& r, Share share, size_t weight, const Unit& unit, float* y) {
  MatmulRows part;
  part.weight = weight;
  part.bias = r.node->weights.size() == 4 ? r.weight_f32(2 + weight) : nullptr;
  part.row_begin = unit.row_begin;
  part.row_end = unit.row_end;
  part.out_begin = unit.out_begin;
  part.out_end = unit.out_end;
  part.y = y;
  part.y_stride = unit.out_end - unit.out_begin;
  run_matmul(r, share, part);
}

void write(const NodeRun& r, const Unit& unit, const float* y) {
  const int64_t n = unit.out_end - unit.out_begin;
  const int64_t n_ff = r.output_desc(0).shape[1];
  for (int64_t row = unit.row_begin; row < unit.row_end; ++row, y += n) {
    if (r.output_desc(0).dtype == DType::kQ8A) {
      auto* blocks = reinterpret_cast<ActBlock*>(r.outputs[0]) + row * (n_ff / kActBlockElements);
      r.kernels->quantize.run(y, blocks + unit.out_begin / kActBlockElements, n);
    } else {
      std::copy_n(y, n, r.output_f32(0) + row * n_ff + unit.out_begin);
    }
  }
}

void run(const NodeRun& r, Share share) {
  float gate[kScratchRows * kUnitOutputs];
  float up[kScratchRows * kUnitOutputs];
  const int64_t n_ff = r.output_desc(0).shape[1];
  const int64_t n_tiles = (r.rows + kScratchRows - 1) / kScratchRows;
  const auto [begin, end] = share.of((n_ff + kUnitOutputs - 1) / kUnitOutputs * n_tiles);
  for (int64_t i = begin; i < end; ++i) {  // the rows of one piece of the weights follow each other
    r.check_cancelled();
    const int64_t out = i / n_tiles * kUnitOutputs;
    const int64_t row = i % n_tiles * kScratchRows;
    const Unit unit{row, std::min(row + kScratchRows, r.rows), out, std::min(out + kUnitOutputs, n_ff)};
    project(r, share, 0, unit, gate);
    project(r, share, 1, unit, up);
    r.kernels->swiglu.run(gate, up, gate, (unit.row_end - unit.row_begin) * (unit.out_end - unit.out_begin));
    write(r, unit, gate);
  }
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const DType gate = graph.weights().at(node.weights[0]).desc.dtype;
  const DType up = graph.weights().at(node.weights[1]).desc.dtype;
  const std::string types =
      gate == up ? std::string(dtype_name(gate)) : fmt::format("{}/{}", dtype_name(gate), dtype_name(up));
  return {fmt::format("gate_up {}", types), matmul_isa(kernels, gate)};
}

}  // namespace

const OpImpl& impl_gate_up() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
