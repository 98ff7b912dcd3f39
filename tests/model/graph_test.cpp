// The graphs that a model becomes: which ops, in which order, and that they depend on their parameters alone.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "backend/cpu/cpu_device.h"
#include "graph/export.h"
#include "graph/verify.h"
#include "model/model.h"
#include "runtime/executor.h"
#include "runtime/kv_memory.h"
#include "tests/support/memory_weights.h"
#include "tests/support/model_recipe.h"
#include "tests/support/refusal.h"

namespace minfer::test {
namespace {

Model load(const ModelRecipe& recipe) {
  return Model::load(GgufModel::open(recipe.write()));
}

BodyParams body_params(int64_t rows, int first_layer, int end_layer) {
  BodyParams params;
  params.rows = rows;
  params.first_layer = first_layer;
  params.end_layer = end_layer;
  params.with_embedding = first_layer == 0;
  params.kv_dtype = DType::kF32;
  return params;
}

// How many nodes of each op a block has; kNone: outside of blocks.
std::map<std::string, int> census(const Graph& graph, int layer) {
  std::map<std::string, int> counts;
  for (const Node& node : graph.nodes()) {
    if (node.layer == layer) ++counts[std::string(op_def(node.op).name)];
  }
  return counts;
}

using Census = std::map<std::string, int>;

std::string text_of(const Graph& graph) {
  return to_json(graph, {1, 1}, nullptr);
}

TEST(BodyGraph, HasTheOpsOfItsArchitectureInEveryBlock) {
  const Census plain{{"rms_norm", 2},  {"matmul", 7}, {"rope", 2}, {"kv_store", 1},
                     {"attention", 1}, {"add", 2},    {"silu", 1}, {"mul", 1}};
  Census with_head_norms = plain;
  with_head_norms["rms_norm"] = 4;
  for (const char* name : {"llama", "qwen2", "qwen3"}) {
    const Model model = load(ModelRecipe(name));
    const Graph graph = model.build_body(body_params(4, 0, 2));
    verify(graph);
    for (int layer : {0, 1}) EXPECT_EQ(census(graph, layer), std::string(name) == "qwen3" ? with_head_norms : plain);
    EXPECT_EQ(census(graph, kNone), (Census{{"embed", 1}, {"rope_angles", 1}})) << name;
    ASSERT_EQ(graph.outputs().size(), 1U);
    EXPECT_EQ(graph.value(graph.outputs()[0]).desc, (TensorDesc{DType::kF32, {4, 16}}));
  }
}

TEST(BodyGraph, QuantizesEachActivationOnceForAllItsWeights) {
  ModelRecipe recipe("llama");
  const std::vector<std::pair<std::string, Shape>> wide = {
      {"attn_q", {32, 32}},   {"attn_k", {16, 32}}, {"attn_v", {16, 32}},  {"attn_output", {32, 32}},
      {"ffn_gate", {64, 32}}, {"ffn_up", {64, 32}}, {"ffn_down", {32, 64}}};
  recipe.set("llama.embedding_length", uint32_t{32});
  recipe.set("llama.feed_forward_length", uint32_t{64});
  recipe.add_zeros("token_embd.weight", {DType::kQ8_0, {20, 32}});
  recipe.add_tensor("output_norm.weight", {32});
  for (const std::string block : {"blk.0.", "blk.1."}) {
    for (const auto& [name, shape] : wide) recipe.add_zeros(block + name + ".weight", {DType::kQ4_0, shape});
    recipe.add_tensor(block + "attn_norm.weight", {32});
    recipe.add_tensor(block + "ffn_norm.weight", {32});
  }
  // A float matrix among quantized ones reads the activation itself.
  recipe.add_tensor("blk.1.attn_k.weight", {16, 32});
  const Model model = load(recipe);
  const Graph graph = model.build_body(body_params(1, 0, 2));
  verify(graph);
  EXPECT_EQ(census(graph, 0)["quantize"], 4);
  EXPECT_EQ(census(graph, 1)["quantize"], 4);
  EXPECT_EQ(census(model.build_head(1), kNone), (Census{{"rms_norm", 1}, {"quantize", 1}, {"matmul", 1}}));
}

TEST(BodyGraph, IsAPureFunctionOfItsParameters) {
  const Model model = load(ModelRecipe("qwen3"));
  for (int64_t rows : {1, 64}) {
    const BodyParams params = body_params(rows, 0, 2);
    EXPECT_EQ(text_of(model.build_body(params)), text_of(model.build_body(params)));
    EXPECT_EQ(text_of(model.build_head(rows)), text_of(model.build_head(rows)));
  }
  EXPECT_NE(text_of(model.build_body(body_params(1, 0, 2))), text_of(model.build_body(body_params(2, 0, 2))));
}

TEST(BodyGraph, RefusesLayersThatDoNotExist) {
  const Model model = load(ModelRecipe("llama"));
  const std::pair<int, int> ranges[] = {{0, 3}, {-1, 1}, {2, 1}};
  for (const auto& [first, end] : ranges) {
    EXPECT_EQ(
        refusal([&] { model.build_body(body_params(1, first, end)); }),
        "internal: [model] layers " + std::to_string(first) + " to " + std::to_string(end) + " of 2 do not exist");
  }
}

TEST(HeadGraph, ReadsTheTiedEmbeddingOrTheOutputMatrix) {
  ModelRecipe recipe("llama");
  const auto logits_weight = [](const Model& model) {
    const Graph head = model.build_head(3);
    verify(head);
    EXPECT_EQ(head.value(head.outputs()[0]).desc, (TensorDesc{DType::kF32, {3, 20}}));
    return model.weights().at(head.nodes().back().weights[0]).name;
  };
  EXPECT_EQ(logits_weight(load(recipe)), "token_embd.weight");
  recipe.add_tensor("output.weight", {20, 16});
  EXPECT_EQ(logits_weight(load(recipe)), "output.weight");
}

// Runs body graphs of one model on the CPU.
class BodyRunner {
 public:
  explicit BodyRunner(const Model& model) : model_(model), devices_(open()), memory_(1) {
    for (const WeightInfo& info : model.weights().all()) weights_.add(info.id, model.weight_tensor(info.id).data);
    weights_.register_with(devices_.device(kCpuDevice), model.weights());
  }

  // Hidden state [rows, 16] behind a range of blocks; `hidden` is read when the embedding is off.
  std::vector<float> run(const BodyParams& params, const std::vector<int32_t>& tokens,
                         const std::vector<float>& hidden) {
    Executor executor(devices_, ledger_, {false, [&](int layer, DeviceId id, Device& device, const TensorDesc& block) {
                                            return memory_.layer_buffer(layer, id, device, block);
                                          }});
    CompiledGraph compiled = compile(model_.build_body(params), devices_, {});
    compiled.uid = 1;
    std::vector<int32_t> positions(tokens.size());
    std::iota(positions.begin(), positions.end(), 0);
    const auto fill = [&](std::string_view name, const auto& values) {
      executor.fill(compiled, compiled.graph.find_value(name), std::as_bytes(std::span(values)));
    };
    if (params.with_embedding) {
      fill(kInputTokens, tokens);
    } else {
      fill(kInputHidden, hidden);
    }
    fill(kInputPositions, positions);
    fill(kInputSequences, std::vector<int32_t>(tokens.size(), 0));
    fill(kInputBlockTables, std::vector<int32_t>{0});
    executor.run(compiled, params.rows);
    std::vector<float> result(tokens.size() * 16);
    executor.read(compiled, compiled.graph.outputs()[0], 0, params.rows,
                  std::as_writable_bytes(std::span<float>(result)));
    return result;
  }

 private:
  DeviceSet open() {
    registry_.add(cpu::cpu_backend_entry());
    return DeviceSet::open(registry_, BackendFilter(), {pool_, ledger_});
  }

  const Model& model_;
  ThreadPool pool_{1};
  MemoryLedger ledger_;
  Registry registry_;
  DeviceSet devices_;
  MemoryWeights weights_;
  KvMemory memory_;
};

TEST(BodyGraph, OfLayerRangesOneAfterTheOtherEqualsTheWhole) {
  for (const char* name : {"llama", "qwen3"}) {
    const Model model = load(ModelRecipe(name));
    const std::vector<int32_t> tokens{3, 19, 0, 7};
    const std::vector<float> whole = BodyRunner(model).run(body_params(4, 0, 2), tokens, {});
    BodyRunner parts(model);
    const std::vector<float> between = parts.run(body_params(4, 0, 1), tokens, {});
    EXPECT_NE(between, whole);
    EXPECT_EQ(parts.run(body_params(4, 1, 2), tokens, between), whole);
    BodyParams nothing = body_params(4, 1, 1);
    nothing.with_embedding = true;
    BodyParams all = body_params(4, 0, 2);
    all.with_embedding = false;
    EXPECT_EQ(BodyRunner(model).run(all, tokens, BodyRunner(model).run(nothing, tokens, {})), whole);
  }
}

}  // namespace
}  // namespace minfer::test
