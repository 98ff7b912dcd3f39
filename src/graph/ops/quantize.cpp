#include "graph/ops/quantize.h"

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("quantize", args, 1, 0);
  const TensorDesc& x = args.inputs[0];
  expect_matrix("quantize", "input", x, DType::kF32);
  const int block = dtype_info(DType::kQ8A).block_elements;
  check(x.shape[1] % block == 0, "[quantize] rows of {} values are not whole blocks of {}", x.shape[1], block);
  return {{DType::kQ8A, x.shape}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 3);
}

}  // namespace

const OpDef& op_quantize() {
  static const OpDef def{"quantize", "q = rint(x · 127 / max|x|) per block of 32", infer, cost, false};
  return def;
}

ValueId quantize(GraphBuilder& builder, ValueId x, const std::string& name) {
  return builder.node(OpId::kQuantize, name, {x})[0];
}

}  // namespace minfer
