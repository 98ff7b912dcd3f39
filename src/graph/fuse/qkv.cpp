// The projections to q, k and v with everything up to the cache, as one node.
#include "graph/ops/qkv.h"
#include "graph/fuse/pattern.h"
#include "graph/ops/kv_store.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/rope.h"

namespace minfer {
namespace {

// A matmul, a norm per head or none, a rope.
struct Rotated {
  NodeId matmul = kNone;
  NodeId norm = kNone;
  NodeId rope = kNone;
};

std::optional<Rotated> find_rotated(const FuseView& view, ValueId value) {
  Rotated found;
  found.rope = view.producer(value, OpId::kRope);
  if (found.rope == kNone) return std::nullopt;
  ValueId x = view.node(found.rope).inputs[0];
  found.norm = view.producer(x, OpId::kRmsNorm);
  if (found.norm != kNone) x = view.node(found.norm).inputs[0];
  found.matmul = view.producer(x, OpId::kMatmul);
  if (found.matmul == kNone) return std::nullopt;
  return found;
}

// The q that reads the cache `kv`: input 0 of its one attention.
ValueId find_q(const FuseView& view, ValueId kv) {
  ValueId q = kNone;
  for (NodeId reader : view.readers(kv)) {
    if (reader == view.graph().n_nodes() || view.node(reader).op != OpId::kAttention || q != kNone) return kNone;
    q = view.node(reader).inputs[0];
  }
  return q;
}

struct Chains {
  Rotated q;
  Rotated k;
  NodeId v = kNone;  // a matmul
};

bool same_rope(const Node& a, const Node& b) {
  const auto& p = params_as<RopeParams>(a);
  const auto& other = params_as<RopeParams>(b);
  return a.inputs[1] == b.inputs[1] && p.head_dim == other.head_dim && p.pairs == other.pairs;
}

bool same_norm(const FuseView& view, const Chains& c, int head_dim) {
  if (c.q.norm == kNone || c.k.norm == kNone) return c.q.norm == c.k.norm;
  const auto length = [&](NodeId norm) { return view.graph().weights().at(view.node(norm).weights[0]).desc.shape[0]; };
  const auto eps = [&](NodeId norm) { return params_as<RmsNormParams>(view.node(norm)).eps; };
  return eps(c.q.norm) == eps(c.k.norm) && length(c.q.norm) == head_dim && length(c.k.norm) == head_dim;
}

bool fit_together(const FuseView& view, const Chains& c, const KvStoreParams& store) {
  const Node& q = view.node(c.q.matmul);
  const Node& k = view.node(c.k.matmul);
  const Node& v = view.node(c.v);
  return q.inputs == k.inputs && k.inputs == v.inputs && q.weights.size() == k.weights.size() &&
         k.weights.size() == v.weights.size() && c.q.matmul != c.k.matmul && c.k.matmul != c.v && c.q.matmul != c.v &&
         same_rope(view.node(c.q.rope), view.node(c.k.rope)) &&
         params_as<RopeParams>(view.node(c.k.rope)).head_dim == store.head_dim && same_norm(view, c, store.head_dim);
}

std::shared_ptr<QkvParams> make_params(const FuseView& view, const Chains& c, const KvStoreParams& store) {
  auto params = std::make_shared<QkvParams>();
  params->n_heads = static_cast<int>(view.columns(view.node(c.q.rope).outputs[0]) / store.head_dim);
  params->n_kv_heads = store.n_kv_heads;
  params->head_dim = store.head_dim;
  params->pairs = params_as<RopeParams>(view.node(c.q.rope)).pairs;
  params->kv_dtype = store.dtype;
  params->has_bias = view.node(c.q.matmul).weights.size() == 2;
  params->has_norm = c.q.norm != kNone;
  if (params->has_norm) params->eps = params_as<RmsNormParams>(view.node(c.q.norm)).eps;
  return params;
}

}  // namespace

std::optional<FuseMatch> match_qkv(const FuseView& view, NodeId anchor) {
  const Node& store = view.node(anchor);
  if (store.op != OpId::kKvStore) return std::nullopt;
  const ValueId q_value = find_q(view, store.outputs[0]);
  if (q_value == kNone) return std::nullopt;
  const std::optional<Rotated> q = find_rotated(view, q_value);
  const std::optional<Rotated> k = find_rotated(view, store.inputs[0]);
  const NodeId v = view.producer(store.inputs[1], OpId::kMatmul);
  if (!q || !k || v == kNone) return std::nullopt;
  const Chains chains{*q, *k, v};
  const auto& store_params = params_as<KvStoreParams>(store);
  if (!fit_together(view, chains, store_params)) return std::nullopt;

  FuseMatch match{{q->matmul, k->matmul, v, q->rope, k->rope, anchor}, fused_node(store, OpId::kQkv)};
  Node& fused = match.fused;
  fused.inputs = {view.node(v).inputs[0], view.node(q->rope).inputs[1], store.inputs[2], store.inputs[3],
                  store.inputs[4]};
  for (size_t i = 0; i < view.node(v).weights.size(); ++i) {  // the matrices, then the biases
    for (NodeId matmul : {q->matmul, k->matmul, v}) fused.weights.push_back(view.node(matmul).weights[i]);
  }
  if (q->norm != kNone) {
    for (NodeId norm : {q->norm, k->norm}) {
      match.nodes.push_back(norm);
      fused.weights.push_back(view.node(norm).weights[0]);
    }
  }
  fused.outputs = {q_value, store.outputs[0]};
  fused.params = make_params(view, chains, store_params);
  return match;
}

}  // namespace minfer
