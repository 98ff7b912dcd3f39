#include "graph/ops/attention.h"

#include <fmt/format.h>

#include "backend/cpu/ops/attention_spans.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph& graph, const Node& node, const KernelTable&) {
  const auto& p = params_as<AttentionParams>(node);
  const DType kv = graph.value(node.inputs[1]).desc.dtype;
  if (p.head_dim > kMaxAttentionHeadDim) {
    return {Reason::kShape, fmt::format("head size {} is above {}", p.head_dim, kMaxAttentionHeadDim)};
  }
  if (kv == DType::kF16 || kv == DType::kF32) return {};
  return {Reason::kType, fmt::format("no kernel for {} key/value blocks", dtype_name(kv))};
}

// Units are dealt out in turn: later rows of a prompt have more to do.
void run(const NodeRun& r, Share share) {
  const RowAccess access(r, 2);
  const UnitCut cut(params_as<AttentionParams>(*r.node), access, r.rows, share.count);
  if (run_attention_by_spans(r, share, access, cut)) return;
  int64_t n_units = 0;
  cut.for_each([&](const UnitBounds& unit) {
    if (n_units++ % share.count == share.index) AttentionUnit(r, access, unit).run();
  });
}

KernelInfo kernel_info(const Graph& graph, const Node& node, const KernelTable& kernels) {
  return {fmt::format("attention {}", dtype_name(graph.value(node.inputs[1]).desc.dtype)),
          std::string(kernels.attention_span.isa)};
}

}  // namespace

const OpImpl& impl_attention() {
  static const OpImpl impl{supports, run, kernel_info, attention_scratch_bytes};
  return impl;
}

}  // namespace minfer::cpu
