// Bytes and FLOPs of every op, worked out by hand for 3 rows in use and 100 positions of context.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/graph/sample_graph.h"

namespace minfer {

static bool operator==(const Cost& a, const Cost& b) {
  return a.weight_bytes == b.weight_bytes && a.read_bytes == b.read_bytes && a.write_bytes == b.write_bytes &&
         a.flops == b.flops;
}

static void PrintTo(const Cost& cost, std::ostream* out) {
  *out << "{" << cost.weight_bytes << ", " << cost.read_bytes << ", " << cost.write_bytes << ", " << cost.flops << "}";
}

namespace {

Cost cost_of(const Graph& graph, const std::string& name, const CostInput& use) {
  return graph.cost(graph.node(graph.value(graph.find_value(name)).producer), use);
}

struct Expected {
  const char* node;
  Cost cost;  // weights, read, written, FLOPs
};

// Widths: 64 floats are 256 bytes, 64 of Q8A two blocks of 40, a row of 64 in Q4_0 two blocks of 18, in Q8_0 two of 34.
const Expected kExpected[] = {
    {"embedding", {3 * 68, 3 * 4, 3 * 256, 0}},
    {"rope_angles", {0, 3 * 4, 3 * 16 * 4, 3 * 16 * 20}},
    {"blk.0.attn_norm", {64 * 4, 3 * 256, 3 * 256, 3 * 64 * 4}},
    {"blk.0.attn_in", {0, 3 * 256, 3 * 80, 3 * 64 * 3}},
    {"blk.0.attn_q", {64 * 36 + 64 * 4, 3 * 80, 3 * 256, 2 * 64 * 64 * 3}},
    {"blk.0.q_rope", {0, 3 * (256 + 64), 3 * 256, 3 * 64 * 3}},
    {"blk.0.attn_k", {32 * 36, 3 * 80, 3 * 128, 2 * 32 * 64 * 3}},
    // k and v, position, sequence, a table row of five; two rows of 32 halves are written.
    {"blk.0.kv", {0, 3 * (128 + 128 + 4 + 4 + 20), 3 * 2 * 64, 0}},
    // q once per row, K and V of 100 positions once; q·k and p·v: 4 heads × 16 × 2 FLOPs each.
    {"blk.0.attn", {0, 3 * 256 + 100 * 2 * 64, 3 * 256, 3 * 100 * 4 * 16 * 4}},
    {"blk.0.attn_out", {0, 3 * 512, 3 * 256, 3 * 64}},
    {"blk.0.ffn_gate", {96 * 64 * 2, 3 * 256, 3 * 384, 2 * 96 * 64 * 3}},
    {"blk.0.ffn_silu", {0, 3 * 384, 3 * 384, 3 * 96 * 4}},
    {"blk.0.ffn_act", {0, 3 * 768, 3 * 384, 3 * 96}},
};

TEST(Cost, IsWhatTheOpsMoveAndCompute) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  for (const Expected& expected : kExpected) {
    EXPECT_EQ(cost_of(graph, expected.node, {3, 100}), expected.cost) << expected.node;
  }
}

TEST(Cost, DependsOnTheRowsInUseNotOnTheCapacity) {
  const SampleWeights weights;
  const Graph small = sample_graph(weights, 4);
  const Graph large = sample_graph(weights, 512);
  for (NodeId id = 0; id < small.n_nodes(); ++id) {
    EXPECT_EQ(small.cost(small.node(id), {3, 100}), large.cost(large.node(id), {3, 100})) << small.node(id).name;
  }
}

TEST(Cost, OfAFusedGateIsThatOfItsPartsWithoutTheValueBetween) {
  WeightTable weights;
  GraphBuilder b(&weights, 8);
  const ValueId x = b.input("x", f32({8, 96}));
  swiglu(b, x, b.input("y", f32({8, 96})), "act");
  EXPECT_EQ(cost_of(b.graph(), "act", {3, 100}), (Cost{0, 3 * 768, 3 * 384, 3 * 96 * 5}));
}

TEST(Cost, RopeFactorsAreAWeight) {
  WeightTable weights;
  const WeightId factors = weights.add("rope_freqs.weight", f32({8}), kNone);
  GraphBuilder b(&weights, 8);
  RopeAnglesParams params;
  params.head_dim = 16;
  rope_angles(b, b.input("positions", i32({8})), factors, params, "angles");
  EXPECT_EQ(cost_of(b.graph(), "angles", {3, 100}), (Cost{32, 12, 192, 960}));
}

TEST(Cost, Adds) {
  Cost total{1, 2, 3, 4};
  total += {10, 20, 30, 40};
  EXPECT_EQ(total, (Cost{11, 22, 33, 44}));
}

}  // namespace
}  // namespace minfer
