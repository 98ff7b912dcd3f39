#include "graph/ops/rope.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<RopeParams>(args);
  expect_counts("rope", args, 2, 0);
  const TensorDesc& x = args.inputs[0];
  expect_matrix("rope", "input", x, DType::kF32);
  expect_matrix("rope", "angles", args.inputs[1], DType::kF32, p.head_dim);
  check(p.head_dim > 0 && p.head_dim % 2 == 0 && x.shape[1] % p.head_dim == 0,
        "[rope] a row of {} values is not whole heads of {}", x.shape[1], p.head_dim);
  return {x};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  return elementwise_cost(args, outputs, use, 3);
}

}  // namespace

std::string RopeParams::text() const {
  return fmt::format("head_dim={}, pairs={}", head_dim, pairs == RopePairs::kHalves ? "halves" : "adjacent");
}

const OpDef& op_rope() {
  static const OpDef def{"rope", "(x0, x1) rotated by the row's angle", infer, cost, true};
  return def;
}

ValueId rope(GraphBuilder& builder, ValueId x, ValueId angles, int head_dim, RopePairs pairs, const std::string& name) {
  auto params = std::make_shared<RopeParams>();
  params->head_dim = head_dim;
  params->pairs = pairs;
  return builder.node(OpId::kRope, name, {x, angles}, {}, std::move(params))[0];
}

}  // namespace minfer
