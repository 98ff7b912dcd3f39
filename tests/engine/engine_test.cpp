// What an engine is made with, what it holds, and that several live side by side.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "tests/support/golden_models.h"
#include "tests/support/model_recipe.h"
#include "tests/support/test_device.h"

namespace minfer::test {
namespace {

class EngineTest : public testing::Test {
 protected:
  EngineTest() : golden_(golden_case("qwen2-q5_1")), options_(golden_options(golden_)) {}

  std::string refused() const {
    return refusal([&] { Engine engine(options_); });
  }

  std::string run_refused(Engine& engine) const {
    return refusal([&] { run_alone(engine, golden_.tokens); });
  }

  GoldenCase golden_;
  EngineOptions options_;
};

TEST_F(EngineTest, RefusesOptionsOutOfRange) {
  const auto refused_with = [&](auto change) {
    EngineOptions options = options_;
    change(options);
    return refusal([&] { Engine engine(options); });
  };
  EXPECT_EQ(refused_with([](auto& o) { o.chunk_rows = 0; }),
            "invalid_argument: [engine] chunk_rows = 0: expected 1 to 512");
  EXPECT_EQ(refused_with([](auto& o) { o.chunk_rows = 513; }),
            "invalid_argument: [engine] chunk_rows = 513: expected 1 to 512");
  EXPECT_EQ(refused_with([](auto& o) { o.n_sequences = 0; }),
            "invalid_argument: [engine] n_sequences = 0: expected 1 to 65536");
  for (int n_threads : {0, -1, 1025}) {
    EXPECT_EQ(
        refused_with([&](auto& o) { o.n_threads = n_threads; }),
        "invalid_argument: [threads] the number of threads must be from 1 to 1024, got " + std::to_string(n_threads));
  }
  EXPECT_EQ(refused_with([](auto& o) { o.n_ctx = -5; }), "invalid_argument: [engine] a context of -5 positions");
  EXPECT_EQ(refused_with([](auto& o) { o.model_path += ".absent"; }).substr(0, 9), "not_found");
}

TEST_F(EngineTest, RefusesAPackedCacheByName) {
  options_.kv_dtype = DType::kQ8_0;
  EXPECT_EQ(refused(), "unsupported: the cpu backend cannot read a packed Q8_0 KV cache; use f16 or f32");
}

TEST_F(EngineTest, RefusesOtherTypesOfTheCacheBeforeAnythingRuns) {
  for (DType dtype : {DType::kBF16, DType::kI32}) {
    options_.kv_dtype = dtype;
    EXPECT_EQ(refused().substr(0, 11), "unsupported") << dtype_name(dtype);
  }
}

TEST_F(EngineTest, RefusesTheFirstThingBeyondTheMemoryLimit) {
  options_.memory_limit = 1000;
  const std::string text = refused();
  EXPECT_EQ(text.substr(0, 13), "out_of_memory");
  EXPECT_NE(text.find("the key/value cache"), std::string::npos) << text;
  EXPECT_NE(text.find("1000 bytes"), std::string::npos) << text;
}

// Room for weights, keys and values, and little more: the step is refused with numbers, again and again, and what it
// has got by then is kept for the next one.
TEST_F(EngineTest, RefusesAStepBeyondTheMemoryLimitAndTakesNoMoreWithEveryTry) {
  {
    Engine unlimited(options_);
    run_alone(unlimited, golden_.tokens);
    const MemoryLedger& ledger = unlimited.ledger();
    constexpr uint64_t kForReading = 30000;  // what the load needs beside the weights, for a moment
    ASSERT_GT(ledger.bytes(MemoryTag::kActivations), kForReading);
    options_.memory_limit = ledger.total() - ledger.bytes(MemoryTag::kActivations) + kForReading;
  }
  Engine engine(options_);
  run_refused(engine);
  const uint64_t held = engine.ledger().total();
  for (int i = 0; i < 3; ++i) {
    const std::string text = run_refused(engine);
    EXPECT_EQ(text.substr(0, 13), "out_of_memory");
    EXPECT_NE(text.find(std::to_string(options_.memory_limit) + " bytes"), std::string::npos) << text;
    EXPECT_EQ(engine.ledger().total(), held);
  }
}

TEST_F(EngineTest, WorksWithExactlyTheMemoryThatItNeeds) {
  Engine measured(options_);
  const std::vector<float> expected = run_alone(measured, golden_.tokens);
  options_.memory_limit = measured.ledger().peak();
  Engine exact(options_);
  EXPECT_EQ(run_alone(exact, golden_.tokens), expected);
  options_.memory_limit -= 1;
  Engine tight(options_);
  EXPECT_EQ(refusal([&] { run_alone(tight, golden_.tokens); }).substr(0, 13), "out_of_memory");
}

TEST_F(EngineTest, CountsItsMemoryByWhatItIsFor) {
  options_.n_ctx = 128;
  options_.n_sequences = 3;
  Engine engine(options_);
  const MemoryLedger& ledger = engine.ledger();
  EXPECT_GE(ledger.bytes(MemoryTag::kWeights) + ledger.bytes(MemoryTag::kRepacked),
            engine.model().file().tensor_bytes());
  EXPECT_EQ(ledger.bytes(MemoryTag::kKv), 0U);
  run_alone(engine, golden_.tokens);
  const Hparams& h = engine.model().hparams();
  const auto kv = 2U * 3U * static_cast<uint64_t>(128 * h.n_layers * h.kv_width()) * sizeof(float) / 1U;
  EXPECT_EQ(ledger.bytes(MemoryTag::kKv), kv);
  EXPECT_GT(ledger.bytes(MemoryTag::kActivations), 64U * 300U);
  EXPECT_LT(ledger.bytes(MemoryTag::kActivations), 2U << 20U);
  EXPECT_EQ(ledger.bytes(MemoryTag::kStaging), 0U);
  const uint64_t total = ledger.total();
  run_alone(engine, golden_.tokens);
  EXPECT_EQ(ledger.total(), total);
}

// The devices of an engine go after everything that uses memory: a device that runs nothing looks at the ledger then.
TEST_F(EngineTest, GivesEverythingBackBeforeItsDevicesGo) {
  struct Last {
    ~Last() { *total = ledger->total(); }
    const MemoryLedger* ledger;
    uint64_t* total;
  };
  uint64_t total_at_the_end = 1;
  BackendEntry entry;
  entry.backend = kTestBackend;
  entry.open_devices = [&](const DeviceContext& context) {
    TestDeviceOptions idle;
    idle.takes = [last = std::make_shared<Last>(Last{&context.ledger, &total_at_the_end})](const Node&) {
      return false;
    };
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<TestDevice>(idle));
    return devices;
  };
  options_.registry.add(entry);
  options_.n_device_layers = 0;
  {
    Engine engine(options_);
    run_alone(engine, golden_.tokens);
    EXPECT_GT(engine.ledger().bytes(MemoryTag::kKv), 0U);
    total_at_the_end = 1;
  }
  EXPECT_EQ(total_at_the_end, 0U);
}

TEST_F(EngineTest, RunsAsOneSplitOnTheCpuAlone) {
  Engine engine(options_);
  EXPECT_EQ(engine.counters().splits, 0);
  run_alone(engine, golden_.tokens);
  const EngineCounters counters = engine.counters();
  EXPECT_EQ(counters.splits, 1);
  EXPECT_EQ(counters.copies.copies, 0);
  EXPECT_EQ(counters.executor.staging_bytes, 0);
  EXPECT_GT(counters.executor.arena_bytes, 0);
  // 64 rows are one class, and 16 rows of the head.
  EXPECT_EQ(counters.graph_builds, 2);
  EXPECT_EQ(counters.graph_reuses, 3);
}

TEST_F(EngineTest, LimitsTheContextToWhatTheModelWasTrainedFor) {
  std::string said;
  options_.log = Log([&](LogLevel, std::string_view text) {
    if (text.starts_with("the context")) said += text;
  });
  options_.n_ctx = 100;
  EXPECT_EQ(Engine(options_).n_ctx(), 100);
  EXPECT_EQ(said, "");
  options_.n_ctx = 1 << 30;
  const Engine engine(options_);
  const int64_t trained = engine.model().hparams().n_ctx_train;
  EXPECT_EQ(engine.n_ctx(), trained);
  EXPECT_EQ(said, "the context is " + std::to_string(trained) +
                      " positions, which is what the model was trained for, not 1073741824");
}

TEST_F(EngineTest, RefusesAContextThatNoCacheCouldHold) {
  ModelRecipe recipe("llama");
  recipe.set("llama.context_length", uint64_t{1} << 40U);
  options_.model_path = recipe.write();
  options_.n_ctx = 0;
  EXPECT_EQ(refused(),
            "invalid_argument: [engine] 1 sequences of 1099511627776 positions need 17179869184 KV blocks; the most is "
            "16777216");
}

TEST_F(EngineTest, LivesBesideAnother) {
  const GoldenCase other = golden_case("llama-f32-qkv-bias");
  Engine a(options_);
  Engine b(golden_options(other));
  const std::vector<float> expected_a = run_alone(a, golden_.tokens);
  const std::vector<float> expected_b = run_alone(b, other.tokens);
  EXPECT_EQ(run_alone(a, golden_.tokens), expected_a);
  EXPECT_EQ(run_alone(b, other.tokens), expected_b);
}

TEST_F(EngineTest, RunsWhileAnotherRunsInAnotherThread) {
  const GoldenCase other = golden_case("qwen3-q5_0");
  Engine reference_a(options_);
  Engine reference_b(golden_options(other));
  const std::vector<float> expected_a = run_alone(reference_a, golden_.tokens);
  const std::vector<float> expected_b = run_alone(reference_b, other.tokens);
  const auto work = [](const GoldenCase& golden, const std::vector<float>& expected, int* n_right) {
    EngineOptions options = golden_options(golden);
    options.n_threads = 2;
    options.chunk_rows = 20;
    Engine engine(options);
    for (int i = 0; i < 3; ++i) *n_right += run_alone(engine, golden.tokens) == expected ? 1 : 0;
  };
  int right_a = 0;
  int right_b = 0;
  std::thread a(work, golden_, expected_a, &right_a);
  std::thread b(work, other, expected_b, &right_b);
  a.join();
  b.join();
  EXPECT_EQ(right_a, 3);
  EXPECT_EQ(right_b, 3);
}

}  // namespace
}  // namespace minfer::test
