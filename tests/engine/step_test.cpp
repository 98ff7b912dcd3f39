// Steps that are refused, cancelled or run out of room, and that the engine works on afterwards.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "tests/support/golden_models.h"
#include "tests/support/model_recipe.h"

namespace minfer::test {
namespace {

using testing::Test;

void ignore(size_t, std::span<const float>) {}

std::vector<StepRow> rows_of(SequenceId sequence, size_t n, TokenId token = 1) {
  return std::vector<StepRow>(n, StepRow{sequence, token, false});
}

class Step : public Test {
 protected:
  Step() : golden_(golden_case("llama-q5_k")) {}

  EngineOptions options(int64_t n_ctx) const {
    EngineOptions options = golden_options(golden_);
    options.n_ctx = n_ctx;
    return options;
  }

  // The engine still computes what a fresh one does.
  void expect_works(Engine& engine, SequenceId sequence) {
    engine.truncate(sequence, 0);
    Engine fresh(engine.options());
    const std::span<const TokenId> tokens = std::span(golden_.tokens).first(20);
    EXPECT_EQ(append(engine, sequence, tokens), run_alone(fresh, tokens));
  }

  GoldenCase golden_;
};

TEST_F(Step, RefusesTokensOutsideTheVocabulary) {
  Engine engine(options(64));
  const SequenceId id = engine.create_sequence();
  for (TokenId token : {300, -1}) {
    const std::vector<StepRow> rows{{id, 0, false}, {id, token, false}};
    EXPECT_EQ(refusal([&] { engine.step(rows, ignore); }),
              "invalid_argument: token " + std::to_string(token) + " lies outside the model's vocabulary of 300");
  }
  EXPECT_EQ(engine.length(id), 0);
  expect_works(engine, id);
}

TEST_F(Step, RefusesMoreTokensThanTheContextHasRoomForWithBothNumbers) {
  Engine engine(options(100));
  const SequenceId id = engine.create_sequence();
  engine.step(rows_of(id, 90), ignore);
  EXPECT_EQ(refusal([&] { engine.step(rows_of(id, 11), ignore); }),
            "invalid_argument: 11 tokens do not fit: the context has room for 10 of its 100 (--ctx-size)");
  EXPECT_EQ(engine.length(id), 90);
  engine.step(rows_of(id, 10), ignore);
  EXPECT_EQ(engine.length(id), 100);
  expect_works(engine, id);
}

TEST_F(Step, RefusesUnknownAndReleasedSequences) {
  Engine engine(options(64));
  const SequenceId id = engine.create_sequence();
  engine.release(id);
  EXPECT_NE(refusal([&] { engine.step(rows_of(id, 1), ignore); }), "no error");
  EXPECT_NE(refusal([&] { engine.step(rows_of(77, 1), ignore); }).find("77"), std::string::npos);
}

TEST_F(Step, RefusesWhenTheBlocksOfAllSequencesAreTaken) {
  EngineOptions options = this->options(128);
  options.n_sequences = 2;  // 4 blocks
  Engine engine(options);
  std::vector<SequenceId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(engine.create_sequence());
  engine.step(rows_of(ids[0], 128), ignore);
  engine.step(rows_of(ids[1], 64), ignore);
  EXPECT_EQ(refusal([&] { engine.step(rows_of(ids[2], 65), ignore); }),
            "out_of_memory: 65 tokens do not fit: they need 2 KV blocks of 64 positions, and 1 are free");
  EXPECT_EQ(engine.length(ids[2]), 0);
  engine.release(ids[0]);
  engine.step(rows_of(ids[2], 65), ignore);
  expect_works(engine, ids[2]);
}

// Each of two sequences would fit alone; together they do not, which only the chunk that takes the blocks can tell.
TEST_F(Step, KeepsWhatWasFinishedWhenBlocksRunOutOnTheWay) {
  EngineOptions options = this->options(128);
  options.chunk_rows = 64;
  Engine engine(options);
  const SequenceId a = engine.create_sequence();
  const SequenceId b = engine.create_sequence();
  std::vector<StepRow> rows = rows_of(a, 64);
  for (const StepRow& row : rows_of(b, 128)) rows.push_back(row);
  const std::string text = refusal([&] { engine.step(rows, ignore); });
  EXPECT_EQ(text, "out_of_memory: a sequence needs 1 more KV blocks of 64 positions, but 0 are free");
  EXPECT_EQ(engine.length(a), 64);
  EXPECT_EQ(engine.length(b), 64);
  engine.release(a);
  expect_works(engine, b);
}

TEST_F(Step, EndsBetweenChunksWhenCancelled) {
  EngineOptions options = this->options(0);
  options.chunk_rows = 16;
  Engine engine(options);
  const SequenceId id = engine.create_sequence();
  std::atomic<bool> cancel = false;
  std::vector<size_t> seen;
  const StepProgress progress = [&](size_t done, size_t total) {
    EXPECT_EQ(total, 200U);
    seen.push_back(done);
    cancel = done >= 32;
  };
  EXPECT_EQ(refusal([&] { engine.step(rows_of(id, 200), ignore, &cancel, progress); }).substr(0, 9), "cancelled");
  EXPECT_EQ(seen, (std::vector<size_t>{16, 32}));
  EXPECT_EQ(engine.length(id), 32);
  expect_works(engine, id);
}

// The flag is set while a chunk runs. The sequence holds whole chunks, and the blocks that the given-up chunk had
// taken serve the next try, although no other is free.
TEST_F(Step, EndsInsideAChunkWhenAnotherThreadCancels) {
  EngineOptions options = this->options(512);
  options.n_threads = 2;
  Engine engine(options);
  const SequenceId id = engine.create_sequence();
  std::atomic<bool> cancel = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  std::string text = "no error";
  while (text == "no error") {
    engine.truncate(id, 0);
    text = refusal([&] { engine.step(rows_of(id, 512), ignore, &cancel); });
  }
  other.join();
  EXPECT_EQ(text.substr(0, 9), "cancelled");
  EXPECT_EQ(engine.length(id), 0);
  engine.step(rows_of(id, 512), ignore);
  EXPECT_EQ(engine.length(id), 512);
  expect_works(engine, id);
}

TEST_F(Step, GivesLogitsOnlyForRowsThatWantThem) {
  Engine engine(options(64));
  const SequenceId id = engine.create_sequence();
  const std::vector<float> all = run_alone(engine, golden_.tokens);
  std::vector<StepRow> rows;
  for (size_t i = 0; i < 40; ++i) rows.push_back({id, golden_.tokens[i], i == 3 || i >= 20});
  std::vector<size_t> seen;
  engine.step(rows, [&](size_t row, std::span<const float> logits) {
    seen.push_back(row);
    EXPECT_EQ(std::memcmp(logits.data(), all.data() + row * 300, logits.size_bytes()), 0) << row;
  });
  ASSERT_EQ(seen.size(), 21U);
  EXPECT_EQ(seen.front(), 3U);
  for (size_t i = 1; i < seen.size(); ++i) EXPECT_EQ(seen[i], 19 + i);
}

TEST_F(Step, OfNoRowsDoesNothing) {
  Engine engine(options(64));
  engine.step({}, ignore);
  EXPECT_EQ(engine.counters().graph_builds, 0);
}

// What NaN and infinite weights lead to, and the name of the node at fault.
class NonFinite : public Test {
 protected:
  static EngineOptions options_for(const ModelRecipe& recipe) {
    EngineOptions options;
    options.model_path = recipe.write();
    options.registry = golden_options(golden_case("llama-f32")).registry;
    options.n_ctx = 0;
    options.chunk_rows = 4;
    options.n_sequences = 2;
    return options;
  }

  static std::string error_for(const std::string& tensor, size_t index, float value, TokenId last = 2) {
    ModelRecipe recipe("llama");
    recipe.set_element(tensor, index, value);
    Engine engine(options_for(recipe));
    const SequenceId id = engine.create_sequence();
    const std::vector<StepRow> rows{{id, 5, false}, {id, 6, false}, {id, last, true}};
    const std::string text = refusal([&] { engine.step(rows, ignore); });
    EXPECT_EQ(engine.length(id), text == "no error" ? 3 : 0);
    return text;
  }

  static constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  static constexpr float kInf = std::numeric_limits<float>::infinity();
};

std::string came_from(const std::string& node) {
  return "internal: a logit of sequence 0 at position 2 is not finite; the first non-finite value came from node " +
         node;
}

TEST_F(NonFinite, WeightOfABlockIsNamedByItsNode) {
  EXPECT_EQ(error_for("blk.1.ffn_up.weight", 7, kNan), came_from("'blk.1.ffn_up' (matmul)"));
}

TEST_F(NonFinite, InfinityInTheFirstBlock) {
  EXPECT_EQ(error_for("blk.0.attn_q.weight", 3, kInf), came_from("'blk.0.attn_q' (matmul)"));
}

TEST_F(NonFinite, NormOfABlock) {
  EXPECT_EQ(error_for("blk.1.attn_norm.weight", 0, kNan), came_from("'blk.1.attn_norm' (rms_norm)"));
}

TEST_F(NonFinite, EmbeddingOfTheToken) {
  EXPECT_EQ(error_for("token_embd.weight", 2 * 16 + 1, kNan), came_from("'token_embd' (embed)"));
}

TEST_F(NonFinite, HeadIsNamedWhenTheBodyIsFine) {
  EXPECT_EQ(error_for("output_norm.weight", 4, kNan), came_from("'output_norm' (rms_norm)"));
}

// The embedding is also the output matrix: row 9 is wrong for every position, although token 9 is not in the prompt.
TEST_F(NonFinite, RowOfTheOutputMatrix) {
  EXPECT_EQ(error_for("token_embd.weight", 9 * 16, kNan), came_from("'logits' (matmul)"));
}

TEST_F(NonFinite, TheSequenceIsNamedAmongOthers) {
  ModelRecipe recipe("llama");
  recipe.add_tensor("output.weight", {20, 16});
  recipe.set_element("token_embd.weight", 2 * 16, kNan);
  Engine engine(options_for(recipe));
  const SequenceId good = engine.create_sequence();
  const SequenceId bad = engine.create_sequence();
  const std::vector<StepRow> rows{{good, 5, true}, {bad, 6, true}, {bad, 2, true}, {good, 7, true}};
  const std::string text = refusal([&] { engine.step(rows, ignore); });
  const std::string expected = fmt::format("a logit of sequence {} at position 1 is not finite", bad);
  EXPECT_NE(text.find(expected), std::string::npos) << text;
  const std::vector<StepRow> others{{good, 5, true}, {good, 7, true}};
  EXPECT_EQ(refusal([&] { engine.step(others, ignore); }), "no error") << "the other sequence goes on";
}

TEST_F(NonFinite, NothingIsSaidAboutAFiniteModel) {
  EXPECT_EQ(error_for("blk.1.ffn_up.weight", 7, 0.5F), "no error");
}

}  // namespace
}  // namespace minfer::test
