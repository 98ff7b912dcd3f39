// mul(silu(matmul(x, gate)), matmul(x, up)), in either order, as one node; with the quantize behind it where only that
// reads the product.
#include "graph/ops/gate_up.h"
#include "graph/fuse/pattern.h"

namespace minfer {
namespace {

// The fused node for the projections `gate` and `up`; nothing when they do not read one value or only one has a bias.
std::optional<Node> join(const Node& anchor, const Node& gate, const Node& up, DType dtype) {
  if (gate.inputs != up.inputs || gate.weights.size() != up.weights.size()) return std::nullopt;
  auto params = std::make_shared<GateUpParams>();
  params->dtype = dtype;
  Node fused = fused_node(anchor, OpId::kGateUp);
  fused.inputs = gate.inputs;
  for (size_t i = 0; i < gate.weights.size(); ++i) {
    fused.weights.push_back(gate.weights[i]);
    fused.weights.push_back(up.weights[i]);
  }
  fused.outputs = anchor.outputs;
  fused.params = std::move(params);
  return fused;
}

std::optional<FuseMatch> match_product(const FuseView& view, NodeId product, NodeId anchor, DType dtype) {
  const Node& mul = view.node(product);
  for (size_t side = 0; side < 2; ++side) {
    const NodeId silu = view.producer(mul.inputs[side], OpId::kSilu);
    const NodeId up = view.producer(mul.inputs[1 - side], OpId::kMatmul);
    if (silu == kNone || up == kNone) continue;
    const NodeId gate = view.producer(view.node(silu).inputs[0], OpId::kMatmul);
    if (gate == kNone || gate == up) continue;
    std::optional<Node> fused = join(view.node(anchor), view.node(gate), view.node(up), dtype);
    if (!fused) continue;
    FuseMatch match{{gate, silu, up, product}, std::move(*fused)};
    if (anchor != product) match.nodes.push_back(anchor);
    return match;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FuseMatch> match_gate_up_quantize(const FuseView& view, NodeId anchor) {
  const Node& quantize = view.node(anchor);
  if (quantize.op != OpId::kQuantize) return std::nullopt;
  const NodeId product = view.producer(quantize.inputs[0], OpId::kMul);
  if (product == kNone) return std::nullopt;
  return match_product(view, product, anchor, DType::kQ8A);
}

std::optional<FuseMatch> match_gate_up(const FuseView& view, NodeId anchor) {
  if (view.node(anchor).op != OpId::kMul) return std::nullopt;
  return match_product(view, anchor, anchor, DType::kF32);
}

}  // namespace minfer
