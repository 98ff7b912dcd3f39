#include "graph/ops/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/cpu/ops/kv_access.h"
#include "backend/cpu/ops/op_table.h"
#include "base/exact_math.h"

namespace minfer::cpu {
namespace {

constexpr int kMaxHeadDim = 512;  // bounds the workers' stack

Support supports(const Graph& graph, const Node& node, const KernelTable&) {
  const auto& p = params_as<AttentionParams>(node);
  const DType kv = graph.value(node.inputs[1]).desc.dtype;
  if (p.head_dim > kMaxHeadDim) {
    return {Reason::kShape, fmt::format("head size {} is above {}", p.head_dim, kMaxHeadDim)};
  }
  if (kv == DType::kF16 || kv == DType::kF32) return {};
  return {Reason::kType, fmt::format("no kernel for {} key/value blocks", dtype_name(kv))};
}

// M = max(m, m'); l = fma(l', exp(m'-M), l·exp(m-M)); o = fma(o', exp(m'-M), o·exp(m-M)).
void merge(const AttentionPartial& part, AttentionPartial& all, int head_dim) {
  const float m = all.max > part.max ? all.max : part.max;
  const float keep = exact_expf(all.max - m);
  const float take = exact_expf(part.max - m);
  all.sum = std::fmaf(part.sum, take, all.sum * keep);
  for (int d = 0; d < head_dim; ++d) all.o[d] = std::fmaf(part.o[d], take, all.o[d] * keep);
  all.max = m;
}

// One query head of one row over its whole context.
void attend(const NodeRun& r, AttentionArgs args, int64_t context, float* out) {
  const int head_dim = args.kv.head_dim;
  float part_o[kMaxHeadDim];
  std::fill_n(out, head_dim, 0.0F);
  AttentionPartial all{-std::numeric_limits<float>::infinity(), 0.0F, out};
  for (int64_t begin = 0; begin < context; begin += kAttentionSpan) {
    r.check_cancelled();
    args.begin = begin;
    args.end = std::min<int64_t>(begin + kAttentionSpan, context);
    AttentionPartial part{0.0F, 0.0F, part_o};
    r.kernels->attention_span.run(args, part);
    merge(part, all, head_dim);
  }
  for (int d = 0; d < head_dim; ++d) out[d] = out[d] / all.sum;
}

void run(const NodeRun& r, Share share) {
  const auto& p = params_as<AttentionParams>(*r.node);
  const RowAccess access(r, 2);
  const TensorDesc& kv = r.input_desc(1);
  AttentionArgs args;
  args.kv = {const_cast<std::byte*>(r.inputs[1]), kv.size_bytes(), kv.dtype, p.n_kv_heads, p.head_dim};
  args.scale = 1.0F / std::sqrt(static_cast<float>(p.head_dim));
  const auto [begin, end] = share.of(r.rows * p.n_heads);
  for (int64_t unit = begin; unit < end; ++unit) {
    const int64_t row = unit / p.n_heads;
    const auto head = static_cast<int>(unit % p.n_heads);
    args.block_table = access.table(row);
    args.q = r.input_f32(0) + unit * p.head_dim;
    args.kv_head = head / (p.n_heads / p.n_kv_heads);
    attend(r, args, int64_t{access.positions[row]} + 1, r.output_f32(0) + unit * p.head_dim);
  }
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  return {fmt::format("attention {}", dtype_name(graph.value(node.inputs[1]).desc.dtype)),
          std::string(kernels.attention_span.isa)};
}

}  // namespace

const OpImpl& impl_attention() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
