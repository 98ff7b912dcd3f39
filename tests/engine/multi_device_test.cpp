// An engine with a device beside the CPU: blocks run there, copies go between, and the logits are the CPU's to the bit.
#include <gtest/gtest.h>

#include "engine/explain.h"
#include "tests/support/golden_models.h"
#include "tests/support/test_device.h"

namespace minfer::test {
namespace {

class MultiDevice : public testing::TestWithParam<bool> {
 protected:
  MultiDevice() : golden_(golden_case("llama-f32-qkv-bias")) {}

  EngineOptions options(TestDeviceOptions device) {
    EngineOptions options = golden_options(golden_);
    options.sync_copies = GetParam();
    options.n_threads = 2;
    options.chunk_rows = 9;
    options.n_sequences = 2;
    options.n_device_layers = 1;
    device.max_delay_us = 200;
    options.registry.add(test_backend_entry({device}, 500, &opened_));
    return options;
  }

  std::vector<float> on_the_cpu() {
    Engine engine(golden_options(golden_));
    return run_alone(engine, golden_.tokens);
  }

  GoldenCase golden_;
  std::vector<TestDevice*> opened_;
};

TEST_P(MultiDevice, GivesTheBytesOfTheCpuWithOneBlockAway) {
  Engine engine(options({}));
  EXPECT_EQ(engine.offload().n_device_layers, 1);
  EXPECT_EQ(run_alone(engine, golden_.tokens), on_the_cpu());
  EXPECT_GT(opened_.at(0)->n_nodes_run(), 0);
  for (const WeightInfo& info : engine.model().weights().all()) {
    EXPECT_EQ(opened_.at(0)->has_weight(info.id), info.layer == 0) << info.name;
  }
  const EngineCounters counters = engine.counters();
  EXPECT_EQ(counters.splits, 3) << "embedding, the block on the device, the block on the CPU";
  EXPECT_GT(counters.copies.copies, 0);
  EXPECT_EQ(counters.copies.copies, counters.copies.waits);
  EXPECT_EQ(counters.copies.blocking_host_copies > 0, GetParam());
}

TEST_P(MultiDevice, GivesTheBytesOfTheCpuWithEverythingAway) {
  EngineOptions options = this->options({});
  options.n_device_layers = -1;
  Engine engine(options);
  EXPECT_EQ(engine.offload().n_device_layers, 2);
  EXPECT_EQ(run_alone(engine, golden_.tokens), on_the_cpu());
}

TEST_P(MultiDevice, ForksAndReplaysAcrossDevices) {
  Engine engine(options({}));
  const std::vector<float> expected = on_the_cpu();
  const std::span<const TokenId> tokens = golden_.tokens;
  const SequenceId source = engine.create_sequence();
  append(engine, source, tokens.first(10));
  const SequenceId fork = engine.fork(source);
  append(engine, source, std::vector<TokenId>{1, 2, 3});
  const std::vector<float> rest(expected.begin() + 10 * 300, expected.end());
  EXPECT_EQ(append(engine, fork, tokens.subspan(10)), rest);
}

TEST_P(MultiDevice, ExplainsWhereEachNodeRunsAndWhy) {
  Engine engine(options({}));
  const ExplainReport report = explain(engine, 1, 10);
  EXPECT_GT(report.n_splits, 2);
  for (const ExplainNode& node : report.nodes) {
    const DeviceAnswer& taker = node.answers.back();
    EXPECT_TRUE(taker.support.takes()) << node.name;
    EXPECT_EQ(taker.device, node.layer == "0" ? "test:0" : "cpu") << node.name;
    ASSERT_EQ(node.answers.size(), node.layer == "0" ? 1U : 2U) << node.name;
    if (node.layer == "0") continue;
    EXPECT_EQ(reason_code(node.answers[0].support.reason), node.op == "attention" ? "kv_elsewhere" : "offload_plan")
        << node.name;
  }
}

TEST_P(MultiDevice, LeavesADeviceOutThatCannotRunAWeightOfItsBlocks) {
  std::string said;
  TestDeviceOptions device;
  device.takes = [](const Node& node) { return node.name.find("ffn_up") == std::string::npos; };
  EngineOptions options = this->options(device);
  options.log = Log([&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) said += text;
  });
  Engine engine(options);
  EXPECT_EQ(engine.offload().n_device_layers, 0);
  EXPECT_EQ(said, "test:0 does not take part: tensor 'blk.0.ffn_up.weight': the test keeps it away");
  EXPECT_EQ(run_alone(engine, golden_.tokens), on_the_cpu());
  EXPECT_EQ(engine.counters().splits, 1);
}

TEST_P(MultiDevice, StaysOnTheCpuWithoutDeviceLayersOrBehindTheFence) {
  EngineOptions none = options({});
  none.n_device_layers = 0;
  Engine without(none);
  run_alone(without, golden_.tokens);
  EXPECT_EQ(without.counters().splits, 1);
  EngineOptions fenced = options({});
  fenced.filter = BackendFilter::resolve({"cpu"}, fenced.registry);
  Engine behind(fenced);
  EXPECT_EQ(run_alone(behind, golden_.tokens), on_the_cpu());
  EXPECT_EQ(behind.devices().size(), 1);
  const ExplainReport report = explain(behind, 1, 1);
  EXPECT_EQ(reason_code(report.nodes[0].answers[0].support.reason), "fence");
}

TEST_P(MultiDevice, WorksAgainAfterTheDeviceHasFailed) {
  Engine engine(options({}));
  const SequenceId id = engine.create_sequence();
  append(engine, id, std::span(golden_.tokens).first(4));
  opened_.at(0)->options().fault = Fault::kFailsInStream;
  opened_.at(0)->options().fault_node = "blk.0.attn";
  const std::string text = refusal([&] { append(engine, id, std::span(golden_.tokens).subspan(4)); });
  EXPECT_EQ(text.substr(0, 6), "device") << text;
  EXPECT_NE(text.find("blk.0.attn"), std::string::npos);
  opened_.at(0)->options().fault = Fault::kNone;
  EXPECT_EQ(engine.length(id), 4);
  const std::vector<float> expected = on_the_cpu();
  EXPECT_EQ(append(engine, id, std::span(golden_.tokens).subspan(4)),
            std::vector<float>(expected.begin() + 4 * 300, expected.end()));
}

INSTANTIATE_TEST_SUITE_P(Copies, MultiDevice, testing::Bool(),
                         [](const auto& param) { return param.param ? "sync" : "async"; });

}  // namespace
}  // namespace minfer::test
