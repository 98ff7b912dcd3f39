// mul(silu(a), b), in either order, as swiglu(a, b).
#include "graph/fuse/pattern.h"

namespace minfer {

std::optional<FuseMatch> match_swiglu(const FuseView& view, NodeId anchor) {
  const Node& mul = view.node(anchor);
  if (mul.op != OpId::kMul || mul.inputs[0] == mul.inputs[1]) return std::nullopt;
  for (size_t side = 0; side < 2; ++side) {
    const NodeId silu = view.producer(mul.inputs[side], OpId::kSilu);
    if (silu == kNone || view.readers(mul.inputs[side]).size() != 1) continue;
    FuseMatch match{{silu, anchor}, fused_node(mul, OpId::kSwiglu)};
    match.fused.inputs = {view.node(silu).inputs[0], mul.inputs[1 - side]};
    match.fused.outputs = mul.outputs;
    return match;
  }
  return std::nullopt;
}

}  // namespace minfer
