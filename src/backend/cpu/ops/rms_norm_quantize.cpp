#include "graph/ops/rms_norm_quantize.h"

#include "backend/cpu/ops/norm_rows.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph& graph, const Node& node, const KernelTable&) {
  return supports_fused_norm(graph.value(node.inputs[0]).desc.shape[1]);
}

void run(const NodeRun& r, Share share) {
  const int64_t n = r.input_desc(0).shape[1];
  const float eps = params_as<RmsNormParams>(*r.node).eps;
  auto* blocks = reinterpret_cast<ActBlock*>(r.outputs[0]);
  const auto [begin, end] = share.of(r.rows);
  for (int64_t row = begin; row < end; ++row) {
    r.check_cancelled();
    norm_and_quantize(*r.kernels, r.input_f32(0) + row * n, r.weight_f32(0), eps,
                      blocks + row * (n / kActBlockElements), n);
  }
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable& kernels) {
  return {"rms_norm + quantize", std::string(kernels.rms_norm.isa)};
}

}  // namespace

const OpImpl& impl_rms_norm_quantize() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
