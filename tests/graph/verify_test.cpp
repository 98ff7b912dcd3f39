// The validator: good graphs pass, every broken one is refused by the name of its node.
#include "graph/verify.h"

#include <gtest/gtest.h>

#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

std::string refusal(const std::function<void(GraphParts&)>& damage) {
  const SampleWeights weights;
  GraphParts parts(sample_graph(weights, 8));
  damage(parts);
  const Graph graph = parts.assemble();
  return internal_error([&] { verify(graph); });
}

ValueId value_called(const GraphParts& parts, const std::string& name) {
  for (size_t i = 0; i < parts.values.size(); ++i) {
    if (parts.values[i].name == name) return static_cast<ValueId>(i);
  }
  return kNone;
}

TEST(Verify, PassesWhatTheBuilderMakes) {
  for (int64_t rows : {1, 2, 512}) {
    const SampleWeights weights;
    EXPECT_EQ(internal_error([&] { verify(sample_graph(weights, rows)); }), "no error");
  }
  EXPECT_EQ(refusal([](GraphParts&) {}), "no error") << "taken apart and put together";
}

TEST(Verify, RefusesInputsThatDoNotExist) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.attn_out").inputs[1] = 1000; }),
            "[verify] node 'blk.0.attn_out' reads value 1000, which does not exist");
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.attn_out").inputs[1] = kNone; }),
            "[verify] node 'blk.0.attn_out' reads value -1, which does not exist");
}

TEST(Verify, RefusesReadingBeforeProduction) {
  EXPECT_EQ(refusal([](GraphParts& p) { std::swap(p.nodes[2], p.nodes[3]); }),
            "[verify] node 'blk.0.attn_in' reads 'blk.0.attn_norm' before it is produced");
  EXPECT_EQ(refusal([](GraphParts& p) {
              Node& node = p.node("blk.0.ffn_silu");
              node.inputs[0] = node.outputs[0];
            }),
            "[verify] node 'blk.0.ffn_silu' reads 'blk.0.ffn_silu' before it is produced");
}

TEST(Verify, RefusesValuesThatNothingProduces) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.nodes.erase(p.nodes.begin() + 2); }),
            "[verify] node 'blk.0.attn_in' reads 'blk.0.attn_norm', which nothing produces");
}

TEST(Verify, RefusesTwoProducersOfAValue) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.ffn_up").outputs = p.node("blk.0.ffn_gate").outputs; }),
            "[verify] node 'blk.0.ffn_gate' does not own its output 15");
}

TEST(Verify, RefusesNodesWithoutOutput) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.nodes.back().outputs.clear(); }),
            "[verify] node 'blk.0.ffn_act' has no output");
}

TEST(Verify, RefusesNodesThatWriteAnInput) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("embedding").outputs = {value_called(p, "tokens")}; }),
            "[verify] node 'embedding' writes the input 'tokens'");
}

TEST(Verify, RefusesWeightsThatDoNotExist) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.attn_k").weights[0] = 1000; }),
            "[verify] node 'blk.0.attn_k' uses weight 1000, which does not exist");
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.attn_k").weights[0] = kNone; }),
            "[verify] node 'blk.0.attn_k' uses weight -1, which does not exist");
}

TEST(Verify, RefusesOutputsThatTheShapeRuleDoesNotGive) {
  EXPECT_EQ(refusal([](GraphParts& p) {
              p.values[static_cast<size_t>(value_called(p, "blk.0.ffn_act"))].desc = f32({8, 97});
            }),
            "[verify] node 'blk.0.ffn_act' (mul) claims outputs that its shape rule does not give");
}

TEST(Verify, RefusesWhatAShapeRuleRefusesByTheNodesName) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.ffn_act").inputs[1] = p.node("embedding").outputs[0]; }),
            "[verify] node 'blk.0.ffn_act': [mul] both inputs must be alike, got F32 [8, 96] and F32 [8, 64]");
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.q_rope").params = nullptr; }),
            "[verify] node 'blk.0.q_rope': [graph] the node's parameters are missing or another op's");
  EXPECT_EQ(refusal([](GraphParts& p) { p.node("blk.0.attn_k").op = static_cast<OpId>(99); }),
            "[verify] node 'blk.0.attn_k': [graph] no op has the id 99");
}

TEST(Verify, RefusesUnequalNumbersOfRows) {
  EXPECT_EQ(refusal([](GraphParts& p) {
              p.values[static_cast<size_t>(value_called(p, "positions"))].desc = i32({4});
              p.values[static_cast<size_t>(value_called(p, "rope_angles"))].desc = f32({4, 16});
            }),
            "[verify] node 'blk.0.q_rope' reads 'rope_angles' with 4 rows next to values with 8");
}

TEST(Verify, RefusesGraphsWithoutAProducedOutput) {
  EXPECT_EQ(refusal([](GraphParts& p) { p.outputs.clear(); }), "[verify] the graph has no output");
  EXPECT_EQ(refusal([](GraphParts& p) { p.outputs = {0}; }), "[verify] output 0 is not produced by a node");
  EXPECT_EQ(refusal([](GraphParts& p) { p.outputs = {-1}; }), "[verify] output -1 is not produced by a node");
  EXPECT_EQ(refusal([](GraphParts& p) { p.outputs = {1000}; }), "[verify] output 1000 is not produced by a node");
}

}  // namespace
}  // namespace minfer
