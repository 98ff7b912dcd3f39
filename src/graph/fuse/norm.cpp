// Norms of whole rows with what stands around them: the residual addition before, the quantize behind.
#include "graph/fuse/pattern.h"
#include "graph/ops/add_rms_norm.h"
#include "graph/ops/rms_norm.h"

namespace minfer {
namespace {

// Whether `norm` is one; not the norm of each head, whose gain is shorter than a row.
bool is_row_norm(const FuseView& view, NodeId norm) {
  if (norm == kNone || view.node(norm).op != OpId::kRmsNorm) return false;
  const Node& node = view.node(norm);
  return view.graph().weights().at(node.weights[0]).desc.shape[0] == view.columns(node.inputs[0]);
}

// The norm whose result the quantize `anchor` rounds, or kNone.
NodeId norm_before(const FuseView& view, NodeId anchor) {
  if (view.node(anchor).op != OpId::kQuantize) return kNone;
  const NodeId norm = view.producer(view.node(anchor).inputs[0], OpId::kRmsNorm);
  return is_row_norm(view, norm) ? norm : kNone;
}

std::optional<FuseMatch> match_add(const FuseView& view, NodeId norm_id, NodeId anchor, DType dtype) {
  const Node& norm = view.node(norm_id);
  const NodeId add = view.producer(norm.inputs[0], OpId::kAdd);
  if (add == kNone) return std::nullopt;
  auto params = std::make_shared<AddRmsNormParams>();
  params->eps = params_as<RmsNormParams>(norm).eps;
  params->dtype = dtype;
  FuseMatch match{{add, norm_id}, fused_node(view.node(anchor), OpId::kAddRmsNorm)};
  if (anchor != norm_id) match.nodes.push_back(anchor);
  match.fused.inputs = view.node(add).inputs;
  match.fused.weights = norm.weights;
  match.fused.outputs = {view.node(add).outputs[0], view.node(anchor).outputs[0]};
  match.fused.params = std::move(params);
  return match;
}

}  // namespace

std::optional<FuseMatch> match_add_rms_norm_quantize(const FuseView& view, NodeId anchor) {
  const NodeId norm = norm_before(view, anchor);
  if (norm == kNone) return std::nullopt;
  return match_add(view, norm, anchor, DType::kQ8A);
}

std::optional<FuseMatch> match_add_rms_norm(const FuseView& view, NodeId anchor) {
  if (!is_row_norm(view, anchor)) return std::nullopt;
  return match_add(view, anchor, anchor, DType::kF32);
}

std::optional<FuseMatch> match_rms_norm_quantize(const FuseView& view, NodeId anchor) {
  const NodeId norm = norm_before(view, anchor);
  if (norm == kNone) return std::nullopt;
  FuseMatch match{{norm, anchor}, fused_node(view.node(anchor), OpId::kRmsNormQuantize)};
  match.fused.inputs = view.node(norm).inputs;
  match.fused.weights = view.node(norm).weights;
  match.fused.outputs = view.node(anchor).outputs;
  match.fused.params = view.node(norm).params;
  return match;
}

}  // namespace minfer
