#include "runtime/compiled_graph.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/ops/mul.h"
#include "graph/ops/silu.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;

struct Gated {
  ValueId gate, up, result;
  Graph graph;
};

Gated gated() {
  GraphBuilder b(&kNoWeights, 2);
  const ValueId gate = b.input("gate", matrix(2, 4));
  const ValueId up = b.input("up", matrix(2, 4));
  const ValueId result = mul(b, silu(b, gate, "silu"), up, "product");
  b.output(result);
  return {gate, up, result, b.take()};
}

std::vector<float> run_gated(Rig& rig, bool fuse, int* n_fused) {
  const Gated g = gated();
  const CompiledGraph compiled = compile(g.graph, rig.devices, {{}, fuse});
  *n_fused = compiled.n_fused;
  Executor executor = rig.executor();
  fill(executor, compiled, g.gate, {0.1F, -3, 2.5F, 100, -100, 0, 1, 7});
  fill(executor, compiled, g.up, {1, 2, 3, 4, 5, 6, -7, 0.3F});
  executor.run(compiled, 2);
  return read(executor, compiled, g.result, 2);
}

TEST(Compile, FusesToTheSameBits) {
  for (const bool on_device : {false, true}) {
    Rig rig(on_device ? std::vector<TestDeviceOptions>{anything()} : std::vector<TestDeviceOptions>{});
    int n_fused = 0;
    int n_unfused = 0;
    const std::vector<float> fused = run_gated(rig, true, &n_fused);
    const std::vector<float> unfused = run_gated(rig, false, &n_unfused);
    EXPECT_EQ(n_fused, 1);
    EXPECT_EQ(n_unfused, 0);
    EXPECT_EQ(std::memcmp(fused.data(), unfused.data(), fused.size() * sizeof(float)), 0);
    EXPECT_NEAR(fused[2], 2.5 / (1 + std::exp(-2.5)) * 3, 1e-6);
  }
}

TEST(Compile, FusesOnlyWhatTheDeviceClaims) {
  Rig rig({taking([](const Node& node) { return node.op != OpId::kSwiglu; })});
  const CompiledGraph compiled = compile(gated().graph, rig.devices, {});
  EXPECT_EQ(compiled.n_fused, 0);
  EXPECT_EQ(compiled.graph.n_nodes(), 2);
}

TEST(Compile, CarriesTheAssignmentOfTheLastNodeOver) {
  Rig rig({taking_op(OpId::kAdd), anything()});
  const CompiledGraph compiled = compile(gated().graph, rig.devices, {});
  ASSERT_EQ(compiled.graph.n_nodes(), 1);
  EXPECT_EQ(compiled.graph.node(0).op, OpId::kSwiglu);
  EXPECT_EQ(compiled.assignment.device, std::vector<DeviceId>{2});
  ASSERT_EQ(compiled.assignment.answers[0].size(), 2u);
  EXPECT_EQ(compiled.assignment.answers[0][0].device, "test:0");
  EXPECT_EQ(compiled.assignment.answers[0][0].support.reason, Reason::kOp);
}

TEST(Compile, FusesNothingAcrossDevices) {
  Rig rig({taking_op(OpId::kSilu), taking([](const Node& node) { return node.op != OpId::kSilu; })});
  const CompiledGraph compiled = compile(gated().graph, rig.devices, {});
  EXPECT_EQ(compiled.n_fused, 0);
  EXPECT_EQ(compiled.assignment.device, (std::vector<DeviceId>{1, 2}));
}

TEST(Compile, NamesWhatAFusedNodeReplaces) {
  Rig rig(std::vector<TestDeviceOptions>{});
  using Names = std::vector<std::vector<std::string>>;
  EXPECT_EQ(compile(gated().graph, rig.devices, {}).replaces, (Names{{"silu", "product"}}));
  EXPECT_EQ(compile(gated().graph, rig.devices, {{}, false}).replaces, (Names{{}, {}}));
}

TEST(Compile, KnowsTheCapacity) {
  Rig rig(std::vector<TestDeviceOptions>{});
  EXPECT_EQ(compile(gated().graph, rig.devices, {}).capacity, 2);
}

TEST(Compile, RefusesInputsOfAnotherNumberOfRows) {
  Rig rig(std::vector<TestDeviceOptions>{});
  GraphBuilder b(&kNoWeights, 2);
  b.input("other", matrix(3, 4));
  b.output(silu(b, b.input("x", matrix(2, 4)), "y"));
  EXPECT_NE(error_of([&] { compile(b.graph(), rig.devices, {}); }).find("'other' is F32 [3, 4]: expected 2 rows"),
            std::string::npos);
}

TEST(Compile, RefusesInvalidGraphs) {
  Rig rig(std::vector<TestDeviceOptions>{});
  EXPECT_NE(error_of([&] { compile(Graph(&kNoWeights), rig.devices, {}); }).find("has no output"), std::string::npos);
}

}  // namespace
}  // namespace minfer::test
