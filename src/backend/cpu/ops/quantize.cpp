#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

void run(const NodeRun& r, Share share) {
  const auto [begin, end] = share.of(r.rows * r.output_desc(0).shape.row_elements() / kActBlockElements);
  auto* blocks = reinterpret_cast<ActBlock*>(r.outputs[0]);
  r.kernels->quantize.run(r.input_f32(0) + begin * kActBlockElements, blocks + begin,
                          (end - begin) * kActBlockElements);
}

KernelInfo kernel_info(const Graph&, const Node&, const KernelTable& kernels) {
  return {"quantize", std::string(kernels.quantize.isa)};
}

}  // namespace

const OpImpl& impl_quantize() {
  static const OpImpl impl{takes_always, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
