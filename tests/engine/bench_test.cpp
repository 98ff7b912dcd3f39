// What a bench runs, counted by the engine's own steps, and the numbers made of the times.
#include "engine/bench.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <utility>

#include "tests/support/golden_models.h"
#include "tests/support/model_recipe.h"

namespace minfer::test {
namespace {

TEST(BenchSummary, IsTheMeanAndTheDeviationOfASample) {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  const BenchSummary summary = summarize_samples(values);
  EXPECT_NEAR(summary.mean, 5.0, 1e-12);
  EXPECT_NEAR(summary.deviation, 2.13808993529939517, 1e-12);  // sqrt(32 / 7)
}

TEST(BenchSummary, OfOneValueHasNoDeviation) {
  const std::vector<double> one{3.5};
  EXPECT_EQ(summarize_samples(one).mean, 3.5);
  EXPECT_EQ(summarize_samples(one).deviation, 0.0);
  EXPECT_EQ(summarize_samples({}).mean, 0.0);
}

TEST(BenchResult, CountsPromptAndGeneratedTokensInItsRates) {
  const BenchResult result{{100, 20, 4096}, {60'000'000, 240'000'000}};
  EXPECT_EQ(result.samples_ts(), (std::vector<double>{2000, 500}));
}

TEST(BenchTest, IsNamedAsInLlamaBench) {
  EXPECT_EQ((BenchTest{512, 0, 0}).name(), "pp512");
  EXPECT_EQ((BenchTest{0, 128, 0}).name(), "tg128");
  EXPECT_EQ((BenchTest{512, 128, 0}).name(), "pp512+tg128");
  EXPECT_EQ((BenchTest{0, 32, 4096}).name(), "tg32 @ d4096");
}

// The first word of Philox4x32-10 for counter 0 and key 0 is 0x6627e8d5 (known answers of Random123).
TEST(BenchToken, IsTheSameInEveryRun) {
  EXPECT_EQ(bench_token(0, 300), 0x6627e8d5LL % 300);
  EXPECT_EQ(bench_token(0, 151936), 0x6627e8d5LL % 151936);
}

TEST(BenchToken, LiesInTheVocabularyAndVaries) {
  std::set<TokenId> seen;
  for (int64_t position = 0; position < 1000; ++position) {
    const TokenId token = bench_token(position, 300);
    EXPECT_GE(token, 0);
    EXPECT_LT(token, 300);
    seen.insert(token);
  }
  EXPECT_GT(seen.size(), 250U);
  EXPECT_NE(bench_token(5, 1 << 30), bench_token(5 + (int64_t{1} << 32), 1 << 30));
}

class BenchRun : public testing::Test {
 protected:
  BenchRun() : engine_(options()), bench_(engine_) {}

  static EngineOptions options() {
    EngineOptions options = golden_options(golden_case("qwen3-q5_0"));
    options.n_ctx = 64;
    options.chunk_rows = 10;
    return options;
  }

  static BenchOptions repetitions(int64_t n, bool warm_up) {
    BenchOptions options;
    options.n_repetitions = n;
    options.warm_up = warm_up;
    return options;
  }

  // Graphs run since the last call: one for each chunk's rows, one for each sixteen rows of logits.
  int64_t graphs_run() {
    const EngineCounters counters = engine_.counters();
    const int64_t all = counters.graph_builds + counters.graph_reuses;
    return all - std::exchange(graphs_before_, all);
  }

  int64_t blocks_in_use() const { return engine_.sequences().stats().blocks_in_use; }

  std::string refused(const BenchTest& test, const BenchOptions& options = {}) {
    return refusal([&] { bench_.measure(test, options); });
  }

  Engine engine_;
  Bench bench_;
  int64_t graphs_before_ = 0;
};

TEST_F(BenchRun, TimesAPromptWithTheLastRowsLogitsAlone) {
  const BenchResult result = bench_.measure({40, 0, 0}, repetitions(3, false));
  EXPECT_EQ(graphs_run(), 3 * (4 + 1));  // with all rows' logits there were four heads
  EXPECT_EQ(result.test, (BenchTest{40, 0, 0}));
  ASSERT_EQ(result.samples_ns.size(), 3U);
  for (const int64_t ns : result.samples_ns) EXPECT_GT(ns, 0);
}

TEST_F(BenchRun, TimesGenerationTokenByTokenWithLogits) {
  EXPECT_EQ(bench_.measure({0, 7, 0}, repetitions(2, false)).samples_ns.size(), 2U);
  EXPECT_EQ(graphs_run(), 2 * 7 * 2);
}

TEST_F(BenchRun, TimesAPromptAndItsAnswerAsOne) {
  EXPECT_EQ(bench_.measure({20, 3, 0}, repetitions(1, false)).samples_ns.size(), 1U);
  EXPECT_EQ(graphs_run(), (2 + 1) + 3 * 2);
}

TEST_F(BenchRun, WarmsUpWithThePromptAndOneToken) {
  EXPECT_EQ(bench_.measure({20, 3, 0}, repetitions(1, true)).samples_ns.size(), 1U);
  EXPECT_EQ(graphs_run(), (2 + 1) + 2 + (2 + 1) + 3 * 2);
}

TEST_F(BenchRun, FillsTheDepthOnceAndKeepsIt) {
  bench_.measure({0, 1, 20}, repetitions(4, false));
  EXPECT_EQ(graphs_run(), 2 + 4 * 2);
  bench_.measure({10, 0, 20}, repetitions(2, false));
  EXPECT_EQ(graphs_run(), 2 * (1 + 1));
  bench_.measure({0, 1, 25}, repetitions(1, false));
  EXPECT_EQ(graphs_run(), 1 + 2);
  bench_.measure({0, 1, 5}, repetitions(1, false));
  EXPECT_EQ(graphs_run(), 2);
}

TEST_F(BenchRun, HoldsNoMorePositionsThanTheDepthBehindATest) {
  bench_.measure({64, 0, 0}, repetitions(2, true));
  EXPECT_EQ(blocks_in_use(), 0);
  bench_.measure({0, 4, 60}, repetitions(2, true));
  EXPECT_EQ(blocks_in_use(), 1);
}

TEST_F(BenchRun, TellsItsProgress) {
  std::vector<size_t> heard;
  BenchOptions options = repetitions(3, true);
  options.progress = [&](size_t done, size_t total) { heard.push_back(done * 10 + total); };
  bench_.measure({5, 0, 0}, options);
  EXPECT_EQ(heard, (std::vector<size_t>{13, 23, 33}));
}

TEST_F(BenchRun, RefusesWhatDoesNotFitTheContext) {
  EXPECT_EQ(refused({60, 5, 0}), "invalid_argument: test pp60+tg5 needs 65 positions, and the context has 64");
  EXPECT_EQ(refused({0, 1, 64}), "invalid_argument: test tg1 @ d64 needs 65 positions, and the context has 64");
  EXPECT_EQ(graphs_run(), 0);
  EXPECT_EQ(refused({1, 0, 63}, repetitions(1, false)), "no error");
}

TEST_F(BenchRun, RefusesTestsOfNothingAndNumbersOutOfRange) {
  EXPECT_EQ(refused({0, 0, 5}), "invalid_argument: [bench] a test of 0 prompt and 0 generated tokens at depth 5");
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  for (const BenchTest& test : {BenchTest{-1, 2, 0}, {5, -1, 0}, {5, 0, -1}, {kHuge, kHuge, kHuge}}) {
    EXPECT_EQ(refused(test).substr(0, 16), "invalid_argument") << test.name();
  }
  EXPECT_EQ(refused({5, 0, 0}, repetitions(0, true)), "invalid_argument: [bench] 0 repetitions");
  EXPECT_EQ(graphs_run(), 0);
}

TEST_F(BenchRun, EndsWhenItIsCancelledAndGoesOnAfterwards) {
  std::atomic<bool> cancel{false};
  BenchOptions options = repetitions(1000, false);
  options.cancel = &cancel;
  options.progress = [&](size_t done, size_t) { cancel = done == 2; };
  EXPECT_EQ(refused({0, 4, 10}, options), "cancelled: cancelled");
  EXPECT_EQ(graphs_run(), 1 + 2 * 4 * 2);
  EXPECT_EQ(bench_.measure({0, 4, 10}, repetitions(1, false)).samples_ns.size(), 1U);
}

TEST(ModelTypeLabel, NamesArchitectureSizeAndFileType) {
  // The parameters, as the gguf package counts them: 101568 and 471040.
  EXPECT_EQ(model_type_label(GgufModel::open(golden_case("qwen3-q5_0").gguf)), "qwen3 102K Q5_0");
  EXPECT_EQ(model_type_label(GgufModel::open(golden_case("qwen3-q4_k").gguf)), "qwen3 471K Q4_K_M");
}

TEST(ModelTypeLabel, TakesTheCommonestTypeWhenTheFileNamesNone) {
  ModelRecipe recipe("llama");
  recipe.add_tensor("token_embd.weight", {20, 16});
  const std::string label = model_type_label(GgufModel::open(recipe.write()));
  EXPECT_EQ(label.substr(0, 6), "llama ");
  EXPECT_EQ(label.substr(label.rfind(' ')), " F32");
}

}  // namespace
}  // namespace minfer::test
