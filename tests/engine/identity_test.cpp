// The identity rule at the level of the engine: however the work is cut, the bytes of the logits are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "engine/logit_hash.h"
#include "tests/engine/company.h"
#include "tests/engine/identity.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

std::string hash_of(std::span<const float> logits) {
  LogitHash hash;
  hash.add(logits);
  return hash.text();
}

void expect_same(std::span<const float> actual, std::span<const float> expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  ASSERT_EQ(std::memcmp(actual.data(), expected.data(), expected.size_bytes()), 0) << what;
  EXPECT_EQ(hash_of(actual), hash_of(expected)) << what;
}

// In a block: qkv where heads are whole panels of 16, gate_up, a norm with the residual before it, twice. The first
// norm of all has no residual, and fuses only with a quantize.
int64_t expected_patterns(const Model& model) {
  const int64_t per_block = model.hparams().head_dim % 16 == 0 ? 4 : 3;
  const std::vector<WeightInfo>& weights = model.weights().all();
  const bool is_quantized = std::any_of(weights.begin(), weights.end(), [](const WeightInfo& weight) {
    return weight.name == "blk.0.attn_q.weight" && dtype_info(weight.desc.dtype).is_quantized();
  });
  return per_block * model.hparams().n_layers - (is_quantized ? 0 : 1);
}

class Identity : public testing::TestWithParam<IdentitySubject> {
 protected:
  void SetUp() override {
    golden_ = golden_case(GetParam().model);
    static std::map<std::string, std::vector<float>> known;
    std::vector<float>& logits = known[golden_.name + std::string(dtype_name(GetParam().kv_dtype))];
    if (logits.empty()) logits = run(options());
    expected_ = logits;
  }

  // One thread, the largest chunk, fused.
  EngineOptions options() const {
    EngineOptions options = golden_options(golden_);
    options.kv_dtype = GetParam().kv_dtype;
    options.n_sequences = 4;
    return options;
  }

  std::vector<float> run(const EngineOptions& options) const {
    Engine engine(options);
    return run_alone(engine, golden_.tokens);
  }

  std::span<const float> expected_from(size_t position) const { return expected_.subspan(position * golden_.n_vocab); }

  GoldenCase golden_;
  std::span<const float> expected_;  // [tokens, n_vocab]
};

TEST_P(Identity, HoldsForEveryNumberOfThreads) {
  for (int n_threads : {2, 3, 5}) {
    EngineOptions options = this->options();
    options.n_threads = n_threads;
    expect_same(run(options), expected_, std::to_string(n_threads) + " threads");
  }
}

TEST_P(Identity, HoldsForEveryChunk) {
  for (int64_t chunk : {1, 7, 64}) {
    EngineOptions options = this->options();
    options.n_threads = 2;
    options.chunk_rows = chunk;
    expect_same(run(options), expected_, "chunks of " + std::to_string(chunk));
  }
}

TEST_P(Identity, HoldsBesideOtherSequences) {
  for (int64_t chunk : {7, 512}) {
    EngineOptions options = this->options();
    options.n_threads = 2;
    options.chunk_rows = chunk;
    Engine engine(options);
    const size_t n = std::min<size_t>(golden_.tokens.size(), 150);
    const std::vector<float> logits = run_beside_others(engine, std::span(golden_.tokens).first(n));
    expect_same(logits, expected_.first(n * golden_.n_vocab), "beside others");
  }
}

TEST_P(Identity, HoldsWithoutFusion) {
  EngineOptions options = this->options();
  Engine fused(options);
  run_alone(fused, std::span(golden_.tokens).first(2));
  EXPECT_EQ(fused.counters().patterns_fused, expected_patterns(fused.model()));
  options.fuse = false;
  Engine unfused(options);
  expect_same(run_alone(unfused, golden_.tokens), expected_, "unfused");
  EXPECT_EQ(unfused.counters().patterns_fused, 0);
}

TEST_P(Identity, HoldsForReusedGraphs) {
  EngineOptions options = this->options();
  options.n_threads = 2;
  options.chunk_rows = 48;
  Engine engine(options);
  expect_same(run_alone(engine, golden_.tokens), expected_, "built");
  const EngineCounters first = engine.counters();
  EXPECT_GT(first.graph_builds, 0);
  expect_same(run_alone(engine, golden_.tokens), expected_, "reused");
  const EngineCounters second = engine.counters();
  EXPECT_EQ(second.graph_builds, first.graph_builds);
  EXPECT_EQ(second.graph_reuses, 2 * first.graph_reuses + first.graph_builds);
  EXPECT_EQ(second.executor.arena_allocations, first.executor.arena_allocations);
}

TEST_P(Identity, HoldsWhereverBlocksLie) {
  size_t calls = 0;
  const std::vector<std::pair<std::string, KvPlacement>> placements = {
      {"last", [](std::span<const KvBlockId> free) { return free.size() - 1; }},
      {"scattered", [&](std::span<const KvBlockId> free) { return (calls++ * 5 + 3) % free.size(); }}};
  for (const auto& [name, placement] : placements) {
    EngineOptions options = this->options();
    options.n_threads = 2;
    options.chunk_rows = 50;
    options.kv_placement = placement;
    Engine engine(options);
    const SequenceId id = engine.create_sequence();
    expect_same(append(engine, id, golden_.tokens), expected_, name);
    EXPECT_NE(engine.sequences().block_table(id)[0], 0) << name;
  }
}

TEST_P(Identity, HoldsAfterAFork) {
  EngineOptions options = this->options();
  options.n_threads = 2;
  Engine engine(options);
  const size_t half = golden_.tokens.size() / 2;
  const std::span<const TokenId> tokens = golden_.tokens;
  const SequenceId source = engine.create_sequence();
  append(engine, source, tokens.first(half));
  const SequenceId fork = engine.fork(source);
  // The source goes on elsewhere, into the block that both have.
  append(engine, source, std::vector<TokenId>{1, 2, 3});
  EXPECT_GT(engine.sequences().stats().copies_on_write, 0);
  expect_same(append(engine, fork, tokens.subspan(half)), expected_from(half), "fork");
  engine.truncate(source, static_cast<int64_t>(half));
  expect_same(append(engine, source, tokens.subspan(half)), expected_from(half), "source");
}

TEST_P(Identity, HoldsAfterTruncation) {
  EngineOptions options = this->options();
  options.n_threads = 2;
  Engine engine(options);
  const std::span<const TokenId> tokens = golden_.tokens;
  const SequenceId id = engine.create_sequence();
  append(engine, id, tokens);
  for (size_t keep : {tokens.size() - 1, tokens.size() / 3, size_t{0}}) {
    engine.truncate(id, static_cast<int64_t>(keep));
    append(engine, id, std::vector<TokenId>{9, 8, 7, 6});
    engine.truncate(id, static_cast<int64_t>(keep));
    expect_same(append(engine, id, tokens.subspan(keep)), expected_from(keep), "from " + std::to_string(keep));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Identity, testing::ValuesIn(identity_subjects()), [](const auto& param) {
  std::string name = param.param.model + "_kv_" + std::string(dtype_name(param.param.kv_dtype));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace minfer::test
