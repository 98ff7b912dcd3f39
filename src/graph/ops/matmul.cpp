#include "graph/ops/matmul.h"

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const bool has_bias = args.weights.size() == 2;
  expect_counts("matmul", args, 1, has_bias ? 2 : 1);
  const TensorDesc& w = args.weights[0];
  check(w.shape.rank() == 2, "[matmul] weight: expected [out, in], got {}", w.to_string());
  expect_matrix("matmul", "input", args.inputs[0], matmul_activation_dtype(w.dtype), w.shape[1]);
  if (has_bias) expect_vector("matmul", "bias", args.weights[1], w.shape[0]);
  return {{DType::kF32, {args.inputs[0].shape[0], w.shape[0]}}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  Cost cost = elementwise_cost(args, outputs, use, 0);
  cost.flops = 2 * args.weights[0].shape.n_elements() * use.rows;
  return cost;
}

}  // namespace

const OpDef& op_matmul() {
  static const OpDef def{"matmul", "y = W·x + b", infer, cost, false};
  return def;
}

DType matmul_activation_dtype(DType weight) {
  return dtype_info(weight).is_quantized() ? DType::kQ8A : DType::kF32;
}

ValueId matmul(GraphBuilder& builder, ValueId x, WeightId w, WeightId bias, const std::string& name) {
  std::vector<WeightId> weights{w};
  if (bias != kNone) weights.push_back(bias);
  return builder.node(OpId::kMatmul, name, {x}, std::move(weights))[0];
}

}  // namespace minfer
