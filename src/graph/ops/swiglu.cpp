#include "graph/ops/swiglu.h"

#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("swiglu", args, 2, 0);
  expect_matrix("swiglu", "input", args.inputs[0], DType::kF32);
  expect_same("swiglu", args.inputs[0], args.inputs[1]);
  return {args.inputs[0]};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 5);
}

}  // namespace

const OpDef& op_swiglu() {
  static const OpDef def{"swiglu", "y = silu(a) · b", infer, cost, true};
  return def;
}

ValueId swiglu(GraphBuilder& builder, ValueId a, ValueId b, const std::string& name) {
  return builder.node(OpId::kSwiglu, name, {a, b})[0];
}

}  // namespace minfer
