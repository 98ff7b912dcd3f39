#include "graph/ops/rope.h"

#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

void run(const NodeRun& r, Share share) {
  const auto& p = params_as<RopeParams>(*r.node);
  const int64_t heads = r.output_desc(0).shape.row_elements() / p.head_dim;
  const auto [begin, end] = share.of(r.rows * heads);
  for (int64_t head = begin; head < end; ++head) {
    r.check_cancelled();
    const float* angles = r.input_f32(1) + head / heads * p.head_dim;
    const int64_t at = head * p.head_dim;
    r.kernels->rope.run(r.input_f32(0) + at, angles, p.pairs, r.output_f32(0) + at, p.head_dim);
  }
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable& kernels) {
  return {"rope", std::string(kernels.rope.isa)};
}

}  // namespace

const OpImpl& impl_rope() {
  static const OpImpl impl{takes_always, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
