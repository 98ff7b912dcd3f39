#include "graph/ops/rms_norm.h"

#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

void run(const NodeRun& r, Share share) {
  const int64_t n = r.weight_desc(0).shape.row_elements();
  const auto [begin, end] = share.of(r.rows * r.output_desc(0).shape.row_elements() / n);
  const float eps = params_as<RmsNormParams>(*r.node).eps;
  for (int64_t group = begin; group < end; ++group) {
    r.check_cancelled();
    r.kernels->rms_norm.run(r.input_f32(0) + group * n, r.weight_f32(0), eps, r.output_f32(0) + group * n, n);
  }
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable& kernels) {
  return {"rms_norm", std::string(kernels.rms_norm.isa)};
}

}  // namespace

const OpImpl& impl_rms_norm() {
  static const OpImpl impl{takes_always, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
