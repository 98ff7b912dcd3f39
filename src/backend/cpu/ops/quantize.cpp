#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

void run(const NodeRun& r, Share share) {
  const int64_t n_blocks = r.rows * r.output_desc(0).shape.row_elements() / kActBlockElements;
  auto* blocks = reinterpret_cast<ActBlock*>(r.outputs[0]);
  for_each_tile(r, share, n_blocks, kTileElements / kActBlockElements, [&](int64_t begin, int64_t end) {
    r.kernels->quantize.run(r.input_f32(0) + begin * kActBlockElements, blocks + begin,
                            (end - begin) * kActBlockElements);
  });
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
