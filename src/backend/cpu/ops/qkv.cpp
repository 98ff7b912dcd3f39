#include "graph/ops/qkv.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/ops/kv_access.h"
#include "backend/cpu/ops/matmul_rows.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

constexpr int kMaxHeadDim = 256;  // bounds the workers' stack

enum Projection : size_t { kQ = 0, kK = 1, kV = 2 };

Support supports(const Graph& graph, const Node& node, const KernelTable& kernels) {
  const auto& p = params_as<QkvParams>(node);
  if (p.head_dim % 16 != 0 || p.head_dim > kMaxHeadDim) {
    return {Reason::kShape, fmt::format("head size {} is no multiple of 16 up to {}", p.head_dim, kMaxHeadDim)};
  }
  for (size_t i = 0; i < 3; ++i) {
    const Support matmul = supports_matmul(graph, node, i, kernels);
    if (!matmul.takes()) return matmul;
  }
  return {};
}

// One head of q, k or v for some rows, at most 64.
struct Unit {
  Projection projection;
  int head;
  int64_t row_begin;
  int64_t row_end;
};

Unit unit_at(const QkvParams& p, int64_t index, int64_t n_tiles, int64_t n_rows) {
  const auto head = static_cast<int>(index / n_tiles);
  const int64_t row = index % n_tiles * kScratchRows;
  const int64_t row_end = std::min(row + kScratchRows, n_rows);
  if (head < p.n_heads) return {kQ, head, row, row_end};
  if (head < p.n_heads + p.n_kv_heads) return {kK, head - p.n_heads, row, row_end};
  return {kV, head - p.n_heads - p.n_kv_heads, row, row_end};
}

// y: [rows of the unit][stride]
void project(const NodeRun& r, Share share, const QkvParams& p, const Unit& unit, float* y, int64_t stride) {
  MatmulRows part;
  part.weight = unit.projection;
  part.bias = p.has_bias ? r.weight_f32(p.bias_index(unit.projection)) : nullptr;
  part.row_begin = unit.row_begin;
  part.row_end = unit.row_end;
  part.out_begin = int64_t{unit.head} * p.head_dim;
  part.out_end = part.out_begin + p.head_dim;
  part.y = y;
  part.y_stride = stride;
  run_matmul(r, share, part);
}

// Norm and rotation of one head of one row, in place.
void turn(const NodeRun& r, const QkvParams& p, Projection projection, int64_t row, float* head) {
  if (p.has_norm) r.kernels->rms_norm.run(head, r.weight_f32(p.norm_index(projection)), p.eps, head, p.head_dim);
  r.kernels->rope.run(head, r.input_f32(1) + row * p.head_dim, p.pairs, head, p.head_dim);
}

void run_q(const NodeRun& r, Share share, const QkvParams& p, const Unit& unit) {
  float* y = r.output_f32(0) + unit.row_begin * p.q_width() + int64_t{unit.head} * p.head_dim;
  project(r, share, p, unit, y, p.q_width());
  for (int64_t row = unit.row_begin; row < unit.row_end; ++row, y += p.q_width()) turn(r, p, kQ, row, y);
}

void run_kv(const NodeRun& r, Share share, const QkvParams& p, const RowAccess& access, const Unit& unit) {
  float scratch[kScratchRows * kMaxHeadDim];
  project(r, share, p, unit, scratch, p.head_dim);
  KvStoreArgs store;
  store.kv = {r.outputs[1], r.output_desc(1).size_bytes(), p.kv_dtype, p.n_kv_heads, p.head_dim};
  store.head_begin = unit.head;
  store.head_end = unit.head + 1;
  float* y = scratch;
  for (int64_t row = unit.row_begin; row < unit.row_end; ++row, y += p.head_dim) {
    if (unit.projection == kK) turn(r, p, kK, row, y);
    store.block = access.table(row)[access.positions[row] / kKvBlockPositions];
    store.position = access.positions[row] % kKvBlockPositions;
    (unit.projection == kK ? store.k : store.v) = y;
    r.kernels->kv_store.run(store);
  }
}

void run(const NodeRun& r, Share share) {
  const auto& p = params_as<QkvParams>(*r.node);
  const RowAccess access(r, 2);
  const int64_t n_tiles = (r.rows + kScratchRows - 1) / kScratchRows;
  const auto [begin, end] = share.of((p.n_heads + 2 * p.n_kv_heads) * n_tiles);
  for (int64_t i = begin; i < end; ++i) {  // the rows of one head's weights follow each other
    r.check_cancelled();
    const Unit unit = unit_at(p, i, n_tiles, r.rows);
    if (unit.projection == kQ) {
      run_q(r, share, p, unit);
    } else {
      run_kv(r, share, p, access, unit);
    }
  }
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  std::string types;
  std::string_view last;
  for (size_t i = 0; i < 3; ++i) {
    const std::string_view type = dtype_name(graph.weights().at(node.weights[i]).desc.dtype);
    if (type != last) types += fmt::format("{}{}", types.empty() ? "" : "/", type);
    last = type;
  }
  const DType q = graph.weights().at(node.weights[0]).desc.dtype;
  return {fmt::format("qkv {}", types), matmul_isa(kernels, q)};
}

}  // namespace

const OpImpl& impl_qkv() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
