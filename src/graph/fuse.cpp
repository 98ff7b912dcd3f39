#include "graph/fuse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/fuse/pattern.h"

namespace minfer {
namespace {

// In this order: what a larger pattern takes is not there for a smaller one.
constexpr FusePattern* kPatterns[] = {
    match_qkv,          match_gate_up_quantize, match_gate_up, match_swiglu, match_add_rms_norm_quantize,
    match_add_rms_norm, match_rms_norm_quantize};

class Fuser {
 public:
  Fuser(const Graph& graph, const FuseClaim& claims)
      : graph_(graph), claims_(claims), view_(graph), fused_into_(static_cast<size_t>(graph.n_nodes()), kNone) {}

  FuseResult run() {
    for (FusePattern* pattern : kPatterns) {
      for (NodeId id = 0; id < graph_.n_nodes(); ++id) consider(pattern(view_, id));
    }
    return rewrite();
  }

 private:
  void consider(std::optional<FuseMatch> match) {
    if (!match) return;
    std::sort(match->nodes.begin(), match->nodes.end());
    if (!is_free(*match) || !is_closed(*match) || !claims_(graph_, match->fused, match->nodes)) return;
    for (NodeId id : match->nodes) fused_into_[static_cast<size_t>(id)] = static_cast<int>(matches_.size());
    matches_.push_back(std::move(*match));
  }

  bool is_free(const FuseMatch& match) const {
    return std::all_of(match.nodes.begin(), match.nodes.end(),
                       [&](NodeId id) { return fused_into_[static_cast<size_t>(id)] == kNone; });
  }

  // The fused node stands where the last of its nodes stood: nothing else may read an inner value, and nothing before
  // that place an outer one.
  bool is_closed(const FuseMatch& match) const {
    const auto contains = [](const auto& list, auto id) {
      return std::find(list.begin(), list.end(), id) != list.end();
    };
    for (NodeId id : match.nodes) {
      for (ValueId output : graph_.node(id).outputs) {
        const bool is_inner = !contains(match.fused.outputs, output);
        for (NodeId reader : view_.readers(output)) {
          if (contains(match.nodes, reader)) continue;
          if (is_inner || reader < match.nodes.back()) return false;
        }
      }
    }
    return true;
  }

  FuseResult rewrite() {
    FuseResult result{Graph(&graph_.weights()), {}, {}, static_cast<int>(matches_.size())};
    for (Value value : graph_.values()) {
      value.producer = kNone;  // add_node sets it; an inner value keeps none
      result.graph.add_value(std::move(value));
    }
    for (NodeId id = 0; id < graph_.n_nodes(); ++id) {
      const int index = fused_into_[static_cast<size_t>(id)];
      std::vector<std::string> replaces;
      if (index == kNone) {
        result.graph.add_node(graph_.node(id));
      } else {
        FuseMatch& match = matches_[static_cast<size_t>(index)];
        if (match.nodes.back() != id) continue;
        for (NodeId old : match.nodes) replaces.push_back(graph_.node(old).name);
        result.graph.add_node(std::move(match.fused));
      }
      result.origin.push_back(id);
      result.replaces.push_back(std::move(replaces));
    }
    for (ValueId output : graph_.outputs()) result.graph.add_output(output);
    return result;
  }

  const Graph& graph_;
  const FuseClaim& claims_;
  FuseView view_;
  std::vector<FuseMatch> matches_;
  std::vector<int> fused_into_;  // [node]: index in matches_, or kNone
};

}  // namespace

FuseResult fuse(const Graph& graph, const FuseClaim& claims) {
  return Fuser(graph, claims).run();
}

}  // namespace minfer
