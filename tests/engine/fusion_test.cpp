// What fusion makes of real blocks on the CPU, and how often the workers still meet in one.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "backend/cpu/barriers.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

// Stands for memory that is only told apart.
class Memory final : public DeviceBuffer {
 public:
  Memory() : DeviceBuffer(0) {}
};

using Census = std::map<std::string, int>;

class Fusion : public testing::TestWithParam<const char*> {
 protected:
  Engine engine_{golden_options(golden_case(GetParam()))};

  static Census census(const Graph& graph, int layer) {
    Census counts;
    for (const Node& node : graph.nodes()) {
      if (node.layer == layer) ++counts[std::string(op_def(node.op).name)];
    }
    return counts;
  }

  // [layer]: barriers before the layer's nodes; key/value blocks lie in a buffer per layer, the rest as planned.
  static std::map<int, int> barriers(const CompiledGraph& compiled) {
    const Graph& graph = compiled.graph;
    Memory arena;
    std::vector<Memory> kv(static_cast<size_t>(graph.n_values()));
    std::vector<BufferRange> ranges;
    for (ValueId id = 0; id < graph.n_values(); ++id) {
      const Place& place = compiled.memory.places[static_cast<size_t>(id)];
      const bool is_kv = graph.value(id).kind == ValueKind::kKvCache;
      ranges.push_back(is_kv ? BufferRange{&kv[static_cast<size_t>(id)], 0, 1}
                             : BufferRange{&arena, place.offset_bytes, place.size_bytes});
    }
    std::vector<NodeId> nodes(static_cast<size_t>(graph.n_nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    const std::vector<bool> before = cpu::find_barriers(graph, nodes, ranges);
    std::map<int, int> counts;
    for (NodeId id : nodes) counts[graph.node(id).layer] += before[static_cast<size_t>(id)] ? 1 : 0;
    return counts;
  }
};

TEST_P(Fusion, LeavesEightNodesAndBarriersInAQuantizedBlock) {
  const int n_layers = engine_.model().hparams().n_layers;
  for (const int64_t rows : {1, 16, 512}) {
    const CompiledGraph& body = engine_.body_graph(rows);
    EXPECT_EQ(body.n_fused, 4 * n_layers);
    const Census first{{"rms_norm_quantize", 1}, {"qkv", 1},         {"attention", 1}, {"quantize", 1}, {"matmul", 2},
                       {"gate_up", 1},           {"add_rms_norm", 1}};
    Census later = first;
    later["add_rms_norm"] = 2;
    later.erase("rms_norm_quantize");
    for (int layer = 0; layer < n_layers; ++layer) {
      Census expected = layer == 0 ? first : later;
      if (layer == n_layers - 1) expected["add"] = 1;
      EXPECT_EQ(census(body.graph, layer), expected) << "layer " << layer;
      const int last = layer == n_layers - 1 ? 1 : 0;  // the sum that the head reads
      EXPECT_LE(barriers(body)[layer], 8 + last) << "layer " << layer << ", " << rows << " rows";
    }
    EXPECT_LE(barriers(body)[kNone], 1) << "embedding and angles depend on nothing";
  }
  EXPECT_EQ(census(engine_.head_graph(1).graph, kNone), (Census{{"rms_norm_quantize", 1}, {"matmul", 1}}));
}

TEST_P(Fusion, IsSwitchedOffAsAWhole) {
  EngineOptions options = golden_options(golden_case(GetParam()));
  options.fuse = false;
  Engine engine(options);
  const CompiledGraph& body = engine.body_graph(1);
  EXPECT_EQ(body.n_fused, 0);
  for (const Node& node : body.graph.nodes()) {
    for (OpId fused : {OpId::kAddRmsNorm, OpId::kGateUp, OpId::kQkv, OpId::kRmsNormQuantize, OpId::kSwiglu}) {
      EXPECT_NE(node.op, fused) << node.name;
    }
  }
  EXPECT_GT(barriers(body)[0], 8);
}

INSTANTIATE_TEST_SUITE_P(Models, Fusion, testing::Values("qwen2-q5_1", "qwen3-q4_k", "llama-q3_k"));

}  // namespace
}  // namespace minfer::test
