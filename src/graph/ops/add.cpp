#include "graph/ops/add.h"

#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("add", args, 2, 0);
  expect_matrix("add", "input", args.inputs[0], DType::kF32);
  expect_same("add", args.inputs[0], args.inputs[1]);
  return {args.inputs[0]};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 1);
}

}  // namespace

const OpDef& op_add() {
  static const OpDef def{"add", "y = a + b", infer, cost, true};
  return def;
}

ValueId add(GraphBuilder& builder, ValueId a, ValueId b, const std::string& name) {
  return builder.node(OpId::kAdd, name, {a, b})[0];
}

}  // namespace minfer
