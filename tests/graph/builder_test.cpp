// The builder: names, layers, kinds of values, and the capacity in dimension 0.
#include "graph/builder.h"

#include <gtest/gtest.h>

#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

TEST(GraphBuilder, NamesNodesInsideABlockAfterIt) {
  WeightTable weights;
  GraphBuilder b(&weights, 4);
  const ValueId x = b.input("x", f32({4, 8}));
  b.set_layer(31);
  const ValueId y = silu(b, x, "act");
  b.set_layer(kNone);
  const ValueId z = silu(b, y, "act");
  const Graph graph = b.take();
  EXPECT_EQ(graph.value(x).name, "x");
  EXPECT_EQ(graph.node(0).name, "blk.31.act");
  EXPECT_EQ(graph.node(0).layer, 31);
  EXPECT_EQ(graph.value(y).name, "blk.31.act");
  EXPECT_EQ(graph.node(1).name, "act");
  EXPECT_EQ(graph.node(1).layer, kNone);
  EXPECT_EQ(graph.find_value("act"), z);
  EXPECT_EQ(graph.find_value("blk.31.act"), y);
  EXPECT_EQ(graph.find_value("nothing"), kNone);
}

TEST(GraphBuilder, RecordsInputsProducersAndOutputs) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 4);
  EXPECT_EQ(graph.n_nodes(), 15);
  EXPECT_EQ(graph.inputs(), (std::vector<ValueId>{0, 1, 2, 3}));
  for (ValueId input : graph.inputs()) {
    EXPECT_EQ(graph.value(input).kind, ValueKind::kInput);
    EXPECT_EQ(graph.value(input).producer, kNone);
  }
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    ASSERT_EQ(graph.node(id).outputs.size(), 1u);
    EXPECT_EQ(graph.value(graph.node(id).outputs[0]).producer, id);
  }
  ASSERT_EQ(graph.outputs().size(), 1u);
  EXPECT_EQ(graph.value(graph.outputs()[0]).name, "blk.0.ffn_act");
}

TEST(GraphBuilder, CacheOfALayerIsAValueOfItsOwnKind) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 4);
  const Value& cache = graph.value(graph.find_value("blk.0.kv"));
  EXPECT_EQ(cache.kind, ValueKind::kKvCache);
  EXPECT_EQ(cache.layer, 0);
  EXPECT_EQ(cache.desc, (TensorDesc{DType::kF16, {64, 2, 32}}));
  EXPECT_EQ(graph.value(graph.find_value("blk.0.attn")).layer, kNone);
}

TEST(GraphBuilder, CapacityIsDimensionZeroAndNothingElse) {
  const SampleWeights weights;
  const Graph one = sample_graph(weights, 1);
  const Graph many = sample_graph(weights, 512);
  ASSERT_EQ(one.n_values(), many.n_values());
  ASSERT_EQ(one.n_nodes(), many.n_nodes());
  for (ValueId id = 0; id < one.n_values(); ++id) {
    const Value& a = one.value(id);
    const Value& b = many.value(id);
    EXPECT_EQ(a.name, b.name);
    if (a.kind == ValueKind::kKvCache) {
      EXPECT_EQ(a.desc, b.desc) << a.name;
      continue;
    }
    EXPECT_EQ(a.desc.shape[0], 1) << a.name;
    EXPECT_EQ(b.desc.shape[0], 512) << a.name;
    EXPECT_EQ(a.desc.shape.n_elements() * 512, b.desc.shape.n_elements()) << a.name;
  }
}

TEST(GraphBuilder, ShapeRuleRefusesBeforeAnythingIsAdded) {
  WeightTable weights;
  GraphBuilder b(&weights, 4);
  const ValueId x = b.input("x", f32({4, 8}));
  const ValueId y = b.input("y", f32({4, 9}));
  EXPECT_THROW(add(b, x, y, "sum"), Error);
  EXPECT_EQ(b.graph().n_nodes(), 0);
  EXPECT_EQ(b.graph().n_values(), 2);
}

TEST(Graph, RefusesANodeWhoseOutputDoesNotExist) {
  WeightTable weights;
  Graph graph(&weights);
  Node node;
  node.name = "lost";
  for (ValueId output : {0, -1, 1000}) {
    node.outputs = {output};
    EXPECT_NE(internal_error([&] { graph.add_node(node); }).find("'lost' has output"), std::string::npos);
  }
}

TEST(Op, EveryOpHasANameAndAMathsLine) {
  EXPECT_EQ(kNumOps, 16);
  for (int i = 0; i < kNumOps; ++i) {
    const OpDef& def = op_def(static_cast<OpId>(i));
    EXPECT_FALSE(def.name.empty());
    EXPECT_FALSE(def.maths.empty());
    EXPECT_NE(def.infer, nullptr);
    EXPECT_NE(def.cost, nullptr);
  }
  EXPECT_EQ(op_def(OpId::kRopeAngles).name, "rope_angles");
  EXPECT_EQ(internal_error([] { op_def(static_cast<OpId>(200)); }), "[graph] no op has the id 200");
}

}  // namespace
}  // namespace minfer
