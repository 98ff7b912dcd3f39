#include "graph/ops/add_rms_norm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<AddRmsNormParams>(args);
  expect_counts("add_rms_norm", args, 2, 1);
  const TensorDesc& a = args.inputs[0];
  expect_matrix("add_rms_norm", "input", a, DType::kF32);
  expect_same("add_rms_norm", a, args.inputs[1]);
  expect_vector("add_rms_norm", "gain", args.weights[0], a.shape[1]);
  return {a, activation_desc("add_rms_norm", a, p.dtype)};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, outputs[1].dtype == DType::kQ8A ? 1 + 4 + 3 : 1 + 4);
}

}  // namespace

std::string AddRmsNormParams::text() const {
  return fmt::format("eps={:g}, dtype={}", eps, dtype_name(dtype));
}

const OpDef& op_add_rms_norm() {
  static const OpDef def{"add_rms_norm", "s = a + b; y = s / sqrt(mean(s²) + eps) · gain", infer, cost, true};
  return def;
}

AddRmsNormResult add_rms_norm(GraphBuilder& builder, ValueId a, ValueId b, WeightId gain,
                              const AddRmsNormParams& params, const std::string& name) {
  const std::vector<ValueId> outputs =
      builder.node(OpId::kAddRmsNorm, name, {a, b}, {gain}, std::make_shared<AddRmsNormParams>(params));
  return {outputs[0], outputs[1]};
}

}  // namespace minfer
