#include "graph/ops/add_rms_norm.h"

#include "backend/cpu/ops/norm_rows.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph& graph, const Node& node, const KernelTable&) {
  return supports_fused_norm(graph.value(node.inputs[0]).desc.shape[1]);
}

void run(const NodeRun& r, Share share) {
  const auto& p = params_as<AddRmsNormParams>(*r.node);
  const int64_t n = r.input_desc(0).shape[1];
  const auto [begin, end] = share.of(r.rows);
  for (int64_t row = begin; row < end; ++row) {
    r.check_cancelled();
    float* sum = r.output_f32(0) + row * n;
    r.kernels->add.run(r.input_f32(0) + row * n, r.input_f32(1) + row * n, sum, n);
    if (p.dtype == DType::kF32) {
      r.kernels->rms_norm.run(sum, r.weight_f32(0), p.eps, r.output_f32(1) + row * n, n);
    } else {
      auto* blocks = reinterpret_cast<ActBlock*>(r.outputs[1]) + row * (n / kActBlockElements);
      norm_and_quantize(*r.kernels, sum, r.weight_f32(0), p.eps, blocks, n);
    }
  }
}

KernelInfo kernel_info(const Graph&, const Node& node, const KernelTable& kernels) {
  const bool rounds = params_as<AddRmsNormParams>(node).dtype == DType::kQ8A;
  return {rounds ? "add + rms_norm + quantize" : "add + rms_norm", std::string(kernels.rms_norm.isa)};
}

}  // namespace

const OpImpl& impl_add_rms_norm() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
