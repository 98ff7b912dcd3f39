#include "graph/ops/rms_norm_quantize.h"

#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  params_as<RmsNormParams>(args);
  expect_counts("rms_norm_quantize", args, 1, 1);
  const TensorDesc& x = args.inputs[0];
  expect_matrix("rms_norm_quantize", "input", x, DType::kF32);
  expect_vector("rms_norm_quantize", "gain", args.weights[0], x.shape[1]);
  return {activation_desc("rms_norm_quantize", x, DType::kQ8A)};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 4 + 3);
}

}  // namespace

const OpDef& op_rms_norm_quantize() {
  static const OpDef def{"rms_norm_quantize", "y = x / sqrt(mean(x²) + eps) · gain, in blocks of 32", infer, cost,
                         false};
  return def;
}

ValueId rms_norm_quantize(GraphBuilder& builder, ValueId x, WeightId gain, float eps, const std::string& name) {
  auto params = std::make_shared<RmsNormParams>();
  params->eps = eps;
  return builder.node(OpId::kRmsNormQuantize, name, {x}, {gain}, std::move(params))[0];
}

}  // namespace minfer
