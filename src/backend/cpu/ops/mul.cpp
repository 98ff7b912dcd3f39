#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

void run(const NodeRun& r, Share share) {
  const int64_t n = r.rows * r.output_desc(0).shape.row_elements();
  for_each_tile(r, share, n, kTileElements, [&](int64_t begin, int64_t end) {
    r.kernels->mul.run(r.input_f32(0) + begin, r.input_f32(1) + begin, r.output_f32(0) + begin, end - begin);
  });
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable& kernels) {
  return {"mul", std::string(kernels.mul.isa)};
}

}  // namespace

const OpImpl& impl_mul() {
  static const OpImpl impl{takes_always, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
