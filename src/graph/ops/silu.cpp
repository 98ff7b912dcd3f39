#include "graph/ops/silu.h"

#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("silu", args, 1, 0);
  expect_matrix("silu", "input", args.inputs[0], DType::kF32);
  return {args.inputs[0]};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 4);
}

}  // namespace

const OpDef& op_silu() {
  static const OpDef def{"silu", "y = x / (1 + exp(-x))", infer, cost, true};
  return def;
}

ValueId silu(GraphBuilder& builder, ValueId x, const std::string& name) {
  return builder.node(OpId::kSilu, name, {x})[0];
}

}  // namespace minfer
