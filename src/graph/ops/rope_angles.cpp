#include "graph/ops/rope_angles.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<RopeAnglesParams>(args);
  expect_counts("rope_angles", args, 1, args.weights.empty() ? 0 : 1);
  const TensorDesc& positions = args.inputs[0];
  check(positions.dtype == DType::kI32 && positions.shape.rank() == 1,
        "[rope_angles] positions: expected I32 [rows], got {}", positions.to_string());
  check(p.head_dim > 0 && p.head_dim % 2 == 0, "[rope_angles] head size {} is not even", p.head_dim);
  if (!args.weights.empty()) expect_vector("rope_angles", "factors", args.weights[0], p.head_dim / 2);
  return {{DType::kF32, {positions.shape[0], p.head_dim}}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 20);
}

}  // namespace

std::string RopeAnglesParams::text() const {
  return fmt::format("head_dim={}, base={:g}, linear_factor={:g}", head_dim, base, linear_factor);
}

const OpDef& op_rope_angles() {
  static const OpDef def{"rope_angles", "cos, sin of position · base^(-2i/n) / factor", infer, cost, false};
  return def;
}

ValueId rope_angles(GraphBuilder& builder, ValueId positions, WeightId factors, const RopeAnglesParams& params,
                    const std::string& name) {
  std::vector<WeightId> weights;
  if (factors != kNone) weights.push_back(factors);
  return builder.node(OpId::kRopeAngles, name, {positions}, std::move(weights),
                      std::make_shared<RopeAnglesParams>(params))[0];
}

}  // namespace minfer
