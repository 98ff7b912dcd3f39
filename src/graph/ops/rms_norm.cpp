#include "graph/ops/rms_norm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("rms_norm", args, 1, 1);
  const TensorDesc& x = args.inputs[0];
  expect_matrix("rms_norm", "input", x, DType::kF32);
  const int64_t n = args.weights[0].shape.row_elements();
  expect_vector("rms_norm", "gain", args.weights[0], n);
  check(n > 0 && x.shape[1] % n == 0, "[rms_norm] a row of {} values is not whole groups of {}", x.shape[1], n);
  return {x};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 4);
}

}  // namespace

std::string RmsNormParams::text() const {
  return fmt::format("eps={:g}", eps);
}

const OpDef& op_rms_norm() {
  static const OpDef def{"rms_norm", "y = x / sqrt(mean(x²) + eps) · gain", infer, cost, true};
  return def;
}

ValueId rms_norm(GraphBuilder& builder, ValueId x, WeightId gain, float eps, const std::string& name) {
  auto params = std::make_shared<RmsNormParams>();
  params->eps = eps;
  return builder.node(OpId::kRmsNorm, name, {x}, {gain}, std::move(params))[0];
}

}  // namespace minfer
