// The fusion pass: what it rewrites, into what, and when it must not.
#include "graph/fuse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/verify.h"
#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

bool claim_all(const Graph&, const Node&, std::span<const NodeId>) {
  return true;
}

// A device that knows no fused op but swiglu.
bool claim_swiglu(const Graph&, const Node& candidate, std::span<const NodeId>) {
  return candidate.op == OpId::kSwiglu;
}

int count_op(const Graph& graph, OpId op) {
  int count = 0;
  for (const Node& node : graph.nodes()) count += node.op == op;
  return count;
}

// Two values of 8 rows, to be combined by the test.
struct Pair {
  WeightTable weights;
  GraphBuilder b{&weights, 8};
  ValueId gate = b.input("gate", f32({8, 96}));
  ValueId up = b.input("up", f32({8, 96}));
};

TEST(Fuse, TakesTheSmallPatternWhereTheLargeOneIsNotClaimed) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const FuseResult result = fuse(graph, claim_swiglu);
  EXPECT_EQ(result.n_fused, 1);
  EXPECT_EQ(result.graph.n_nodes(), graph.n_nodes() - 1);
  EXPECT_EQ(count_op(result.graph, OpId::kSwiglu), 1);
  EXPECT_EQ(count_op(result.graph, OpId::kSilu), 0);
  EXPECT_EQ(count_op(result.graph, OpId::kMul), 0);
  EXPECT_NO_THROW(verify(result.graph));
  EXPECT_EQ(fuse(result.graph, claim_swiglu).n_fused, 0) << "nothing is left to fuse";
}

TEST(Fuse, TakesTheLargestPatternThatIsClaimed) {
  const SampleWeights weights;
  const FuseResult result = fuse(sample_graph(weights, 8), claim_all);
  EXPECT_EQ(result.n_fused, 2) << "gate_up, and the norm that is rounded";
  EXPECT_EQ(count_op(result.graph, OpId::kGateUp), 1);
  EXPECT_EQ(count_op(result.graph, OpId::kRmsNormQuantize), 1);
  EXPECT_EQ(count_op(result.graph, OpId::kSwiglu), 0);
  EXPECT_NO_THROW(verify(result.graph));
}

TEST(Fuse, FusedNodeTakesThePlaceNameLayerAndOutputOfTheProduct) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const FuseResult result = fuse(graph, claim_swiglu);
  const Node& fused = result.graph.nodes().back();
  EXPECT_EQ(fused.op, OpId::kSwiglu);
  EXPECT_EQ(fused.name, "blk.0.ffn_act");
  EXPECT_EQ(fused.layer, 0);
  EXPECT_EQ(fused.outputs, graph.nodes().back().outputs);
  EXPECT_EQ(result.graph.outputs(), graph.outputs());
  EXPECT_EQ(result.graph.inputs(), graph.inputs());
  EXPECT_EQ(result.graph.n_values(), graph.n_values()) << "values keep their ids";
}

TEST(Fuse, OriginNamesTheOldNodeOfEachNewOne) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const FuseResult result = fuse(graph, claim_swiglu);
  ASSERT_EQ(result.origin.size(), static_cast<size_t>(result.graph.n_nodes()));
  for (NodeId id = 0; id < result.graph.n_nodes(); ++id) {
    EXPECT_EQ(result.graph.node(id).name, graph.node(result.origin[static_cast<size_t>(id)]).name);
  }
  // Nodes 0 … 11 keep their places, 12 is the silu, 13 its partner's projection, 14 the product.
  EXPECT_EQ(result.origin, (std::vector<NodeId>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14}));
}

TEST(Fuse, NamesTheNodesThatAFusedOneReplaces) {
  const SampleWeights weights;
  const FuseResult result = fuse(sample_graph(weights, 8), claim_all);
  ASSERT_EQ(result.replaces.size(), static_cast<size_t>(result.graph.n_nodes()));
  for (NodeId id = 0; id < result.graph.n_nodes(); ++id) {
    std::vector<std::string> expected;
    if (result.graph.node(id).op == OpId::kGateUp) {
      expected = {"blk.0.ffn_gate", "blk.0.ffn_silu", "blk.0.ffn_up", "blk.0.ffn_act"};
    }
    if (result.graph.node(id).op == OpId::kRmsNormQuantize) expected = {"blk.0.attn_norm", "blk.0.attn_in"};
    EXPECT_EQ(result.replaces[static_cast<size_t>(id)], expected) << result.graph.node(id).name;
  }
}

TEST(Fuse, GateComesFirstWhicheverSideItStandsOn) {
  for (bool gate_first : {true, false}) {
    Pair t;
    const ValueId s = silu(t.b, t.gate, "silu");
    t.b.output(gate_first ? mul(t.b, s, t.up, "act") : mul(t.b, t.up, s, "act"));
    const FuseResult result = fuse(t.b.graph(), claim_all);
    ASSERT_EQ(result.graph.n_nodes(), 1);
    EXPECT_EQ(result.graph.node(0).inputs, (std::vector<ValueId>{t.gate, t.up}));
  }
}

TEST(Fuse, LeavesAGateThatAnotherNodeReads) {
  Pair t;
  const ValueId s = silu(t.b, t.gate, "silu");
  const ValueId product = mul(t.b, s, t.up, "act");
  t.b.output(add(t.b, product, s, "sum"));
  const FuseResult result = fuse(t.b.graph(), claim_all);
  EXPECT_EQ(result.n_fused, 0);
  EXPECT_EQ(result.graph.n_nodes(), 3);
}

TEST(Fuse, LeavesAGateThatIsAnOutput) {
  Pair t;
  const ValueId s = silu(t.b, t.gate, "silu");
  t.b.output(mul(t.b, s, t.up, "act"));
  t.b.output(s);
  EXPECT_EQ(fuse(t.b.graph(), claim_all).n_fused, 0);
}

TEST(Fuse, LeavesASquaredGate) {
  Pair t;
  const ValueId s = silu(t.b, t.gate, "silu");
  t.b.output(mul(t.b, s, s, "act"));
  EXPECT_EQ(fuse(t.b.graph(), claim_all).n_fused, 0);
}

TEST(Fuse, TakesOneOfTwoGates) {
  Pair t;
  t.b.output(mul(t.b, silu(t.b, t.gate, "first"), silu(t.b, t.up, "second"), "act"));
  const FuseResult result = fuse(t.b.graph(), claim_all);
  EXPECT_EQ(result.n_fused, 1);
  EXPECT_EQ(count_op(result.graph, OpId::kSilu), 1);
  EXPECT_NO_THROW(verify(result.graph));
}

TEST(Fuse, LeavesProductsWithoutAGate) {
  Pair t;
  t.b.output(mul(t.b, t.gate, t.up, "act"));
  EXPECT_EQ(fuse(t.b.graph(), claim_all).n_fused, 0);
}

TEST(Fuse, AsksTheDeviceAboutTheFusedNodeAndObeys) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  std::vector<OpId> asked;
  const FuseResult result = fuse(graph, [&](const Graph& of, const Node& candidate, std::span<const NodeId> replaced) {
    asked.push_back(candidate.op);
    EXPECT_EQ(&of, &graph);
    EXPECT_TRUE(std::is_sorted(replaced.begin(), replaced.end()));
    EXPECT_EQ(graph.node(replaced.back()).name, candidate.name);
    return false;
  });
  EXPECT_EQ(asked, (std::vector<OpId>{OpId::kGateUp, OpId::kSwiglu, OpId::kRmsNormQuantize}));
  EXPECT_EQ(result.n_fused, 0);
  ASSERT_EQ(result.graph.n_nodes(), graph.n_nodes());
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    EXPECT_EQ(result.origin[static_cast<size_t>(id)], id);
    EXPECT_EQ(result.graph.node(id).op, graph.node(id).op);
    EXPECT_EQ(result.graph.node(id).inputs, graph.node(id).inputs);
  }
}

TEST(Fuse, DecidesEachPatternByItself) {
  Pair t;
  const ValueId first = mul(t.b, silu(t.b, t.gate, "s0"), t.up, "act0");
  const ValueId second = mul(t.b, silu(t.b, first, "s1"), t.up, "act1");
  t.b.output(second);
  const FuseResult one = fuse(t.b.graph(), [](const Graph&, const Node& candidate, std::span<const NodeId>) {
    return candidate.name == "act1";
  });
  EXPECT_EQ(one.n_fused, 1);
  EXPECT_EQ(one.origin, (std::vector<NodeId>{0, 1, 3}));
  const FuseResult both = fuse(t.b.graph(), claim_all);
  EXPECT_EQ(both.n_fused, 2);
  EXPECT_EQ(both.graph.node(1).inputs, (std::vector<ValueId>{first, t.up}));
  EXPECT_NO_THROW(verify(both.graph));
}

TEST(Fuse, InnerValuesHaveNoProducer) {
  const SampleWeights weights;
  const FuseResult result = fuse(sample_graph(weights, 8), claim_all);
  for (const char* inner : {"blk.0.ffn_silu", "blk.0.ffn_gate", "blk.0.attn_norm"}) {
    EXPECT_EQ(result.graph.value(result.graph.find_value(inner)).producer, kNone) << inner;
  }
  for (NodeId id = 0; id < result.graph.n_nodes(); ++id) {
    EXPECT_EQ(result.graph.value(result.graph.node(id).outputs[0]).producer, id);
  }
}

}  // namespace
}  // namespace minfer
