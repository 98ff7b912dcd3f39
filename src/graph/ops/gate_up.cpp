#include "graph/ops/gate_up.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<GateUpParams>(args);
  const bool has_bias = args.weights.size() == 4;
  expect_counts("gate_up", args, 1, has_bias ? 4 : 2);
  const TensorDesc& x = args.inputs[0];
  const int64_t n_ff = args.weights[0].shape.rank() == 2 ? args.weights[0].shape[0] : 0;
  expect_projection("gate_up", "gate", x, args.weights[0], n_ff);
  expect_projection("gate_up", "up", x, args.weights[1], n_ff);
  if (has_bias) {
    expect_vector("gate_up", "gate bias", args.weights[2], n_ff);
    expect_vector("gate_up", "up bias", args.weights[3], n_ff);
  }
  return {activation_desc("gate_up", {DType::kF32, {x.shape[0], n_ff}}, p.dtype)};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  Cost cost = elementwise_cost(args, outputs, use, outputs[0].dtype == DType::kQ8A ? 5 + 3 : 5);
  cost.flops += 2 * (args.weights[0].shape.n_elements() + args.weights[1].shape.n_elements()) * use.rows;
  return cost;
}

}  // namespace

std::string GateUpParams::text() const {
  return fmt::format("dtype={}", dtype_name(dtype));
}

const OpDef& op_gate_up() {
  static const OpDef def{"gate_up", "y = silu(Wg·x + bg) · (Wu·x + bu)", infer, cost, false};
  return def;
}

ValueId gate_up(GraphBuilder& builder, ValueId x, const GateUpWeights& w, const GateUpParams& params,
                const std::string& name) {
  std::vector<WeightId> weights{w.gate, w.up};
  if (w.gate_bias != kNone) weights.insert(weights.end(), {w.gate_bias, w.up_bias});
  return builder.node(OpId::kGateUp, name, {x}, std::move(weights), std::make_shared<GateUpParams>(params))[0];
}

}  // namespace minfer
