// Loading: how weights are kept, what a file that changes meanwhile leads to, and that a load that cannot end well
// reads nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "base/process_memory.h"
#include "builtin/isa.h"
#include "builtin/registry.h"
#include "engine/loaded_model.h"
#include "engine/memory_report.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

class LoadTest : public testing::Test {
 protected:
  LoadTest() : golden_(golden_case("qwen2-q5_1")), options_(golden_options(golden_)) {
    path_ = testing::TempDir() + "minfer_load_test_" + std::to_string(getpid()) + ".gguf";
    std::filesystem::copy_file(golden_.gguf, path_, std::filesystem::copy_options::overwrite_existing);
    options_.model_path = path_;
  }
  ~LoadTest() override { std::filesystem::remove(path_); }

  void use(const std::string& isa, bool repack) { options_.registry = builtin::make_registry({}, {isa, repack}); }

  // Whether the CPU's best kernels want interleaved weights: all but the scalar ones do.
  static bool interleaves() { return builtin::cpu_isas().front().is_available && builtin::cpu_isas().size() > 1; }

  std::string refused() const {
    return refusal([&] { Engine engine(options_); });
  }

  // As a writer in place does; the time is set to be sure that the file system's clock has moved.
  void write_to_file() const {
    const timespec times[2] = {{0, UTIME_OMIT}, {1'000'000'000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }

  GoldenCase golden_;
  EngineOptions options_;
  std::string path_;
};

TEST_F(LoadTest, RawAndInterleavedWeightsGiveTheSameBitsOnEveryInstructionSet) {
  for (const char* name : {"qwen2-q5_1", "qwen3-q4_k", "qwen3-f16"}) {
    const GoldenCase golden = golden_case(name);
    EngineOptions options = golden_options(golden);
    options.registry = builtin::make_registry({}, {"scalar", true});
    Engine reference(options);
    const std::vector<float> expected = run_alone(reference, golden.tokens);
    for (const builtin::CpuIsa& isa : builtin::cpu_isas()) {
      if (!isa.is_available) continue;
      for (const bool repack : {true, false}) {
        options.registry = builtin::make_registry({}, {isa.name, repack});
        Engine engine(options);
        EXPECT_EQ(run_alone(engine, golden.tokens), expected) << name << ", " << isa.name << ", " << repack;
      }
    }
  }
}

TEST_F(LoadTest, CountsInterleavedWeightsAndViewsUnderTheirOwnTags) {
  use("scalar", true);
  {
    Engine engine(options_);
    EXPECT_EQ(engine.ledger().bytes(MemoryTag::kWeights), engine.model().file().tensor_bytes());
    EXPECT_EQ(engine.ledger().bytes(MemoryTag::kRepacked), 0U);
  }
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  use("auto", true);
  Engine engine(options_);
  EXPECT_EQ(engine.ledger().bytes(MemoryTag::kWeights), 0U);
  const uint64_t stored = engine.model().file().tensor_bytes();
  EXPECT_GE(engine.ledger().bytes(MemoryTag::kRepacked), stored);
  EXPECT_LE(engine.ledger().bytes(MemoryTag::kRepacked), stored + stored / 4);  // small matrices pad their last panel
  EXPECT_EQ(engine.ledger().bytes(MemoryTag::kScratch), 0U);
}

TEST_F(LoadTest, TouchesNoTensorThroughTheMapping) {
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  Engine engine(options_);
  for (const GgufTensor& tensor : engine.model().file().tensors()) {
    EXPECT_EQ(resident_bytes(tensor.data.data(), tensor.size_bytes()), 0U) << tensor.name;
  }
}

TEST_F(LoadTest, NamesTheTensorOfAFileThatShrinks) {
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  options_.load_progress = [&](uint64_t, uint64_t) { std::filesystem::resize_file(path_, 4096); };
  const std::string text = refused();
  EXPECT_EQ(text.substr(0, 12), "io: tensor '") << text;
  EXPECT_NE(text.find("it ends at offset"), std::string::npos) << text;
}

TEST_F(LoadTest, NamesTheTensorOfAFileThatGrowsOrIsWrittenTo) {
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  options_.load_progress = [&](uint64_t, uint64_t) { std::filesystem::resize_file(path_, 1 << 20); };
  const std::string grown = refused();
  EXPECT_EQ(grown.substr(0, 12), "io: tensor '") << grown;
  EXPECT_NE(grown.find("changed while it was in use: it had"), std::string::npos) << grown;
  std::filesystem::copy_file(golden_.gguf, path_, std::filesystem::copy_options::overwrite_existing);
  options_.load_progress = [&](uint64_t, uint64_t) { write_to_file(); };
  const std::string written = refused();
  EXPECT_EQ(written.substr(0, 12), "io: tensor '") << written;
  EXPECT_NE(written.find("it was written to"), std::string::npos) << written;
}

TEST_F(LoadTest, NoticesAChangeWhereWeightsStayViewsToo) {
  use("auto", false);
  options_.beside_load = [&](const GgufMetadata&) { write_to_file(); };
  const std::string text = refused();
  EXPECT_EQ(text.substr(0, 12), "io: tensor '") << text;
}

TEST_F(LoadTest, RefusesForWantOfMemoryBeforeAnythingIsRead) {
  bool has_read = false;
  options_.load_progress = [&](uint64_t, uint64_t) { has_read = true; };
  uint64_t weights = 0;
  uint64_t kv = 0;
  {
    Engine engine(options_);
    EXPECT_EQ(has_read, interleaves());
    weights = engine.ledger().total();
    run_alone(engine, golden_.tokens);
    kv = engine.ledger().bytes(MemoryTag::kKv);
  }
  has_read = false;
  options_.memory_limit = kv - 1;
  EXPECT_NE(refused().find("the key/value cache (KV) needs " + std::to_string(kv) + " bytes"), std::string::npos);
  options_.memory_limit = kv + weights - 1;
  const std::string text = refused();
  EXPECT_EQ(text.substr(0, 13), "out_of_memory");
  EXPECT_NE(text.find("the model's weights"), std::string::npos) << text;
  EXPECT_FALSE(has_read);
}

TEST_F(LoadTest, EndsWhenItIsCancelled) {
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  std::atomic<bool> cancel{false};
  options_.cancel_load = &cancel;
  options_.load_progress = [&](uint64_t, uint64_t) { cancel = true; };
  EXPECT_EQ(refused().substr(0, 9), "cancelled");
}

TEST_F(LoadTest, EndsWithTheErrorOfWhatRunsBeside) {
  options_.beside_load = [](const GgufMetadata& metadata) { metadata.get_string("no.such.key"); };
  EXPECT_EQ(refused().substr(0, 8), "bad_file");
}

TEST_F(LoadTest, ReportsProgressUpToTheWhole) {
  if (!interleaves()) GTEST_SKIP() << "this machine has scalar kernels only";
  uint64_t last = 0;
  uint64_t whole = 0;
  options_.n_threads = 3;
  options_.load_progress = [&](uint64_t done, uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    whole = total;
  };
  Engine engine(options_);
  EXPECT_EQ(last, whole);
  EXPECT_EQ(whole, engine.model().file().tensor_bytes());
}

TEST_F(LoadTest, ExplainsItsMemoryByTag) {
  Engine engine(options_);
  run_alone(engine, golden_.tokens);
  const MemoryReport report = measure_memory(engine);
  uint64_t sum = 0;
  for (const MemoryRow& row : report.rows) {
    sum += row.resident_bytes;
    if (row.name == "KV") {
      EXPECT_EQ(row.entered_bytes, engine.ledger().bytes(MemoryTag::kKv));
    } else if (row.name == "program") {
      EXPECT_GT(row.resident_bytes, 1U << 20U);
    }
  }
  EXPECT_EQ(report.explained_bytes(), sum);
  EXPECT_EQ(report.explained_bytes() + report.unexplained_bytes(), std::max(sum, report.peak_resident_bytes));
}

}  // namespace
}  // namespace minfer::test
