// minfer info and explain.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Info, DescribesAModel) {
  const Outcome text = run({"info", model("qwen2-f32")});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, HasSubstr("qwen2.embedding_length"));
  EXPECT_THAT(text.out, Not(HasSubstr("blk.1.ffn_down.weight")));
  EXPECT_THAT(run({"info", "-m", model("qwen2-f32"), "--tensors"}).out, HasSubstr("blk.1.ffn_down.weight"));
  const json object = json::parse(run({"info", model("qwen2-f32"), "--json"}).out);
  EXPECT_EQ(object["architecture"], "qwen2");
}

TEST(Info, ReadsVocabularyOnlyFilesOfUnknownArchitectures) {
  const TemporaryFolder folder;
  const Outcome outcome = run({"info", write_vocabulary_only(folder), "--tensors"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("abacus"));
}

void put(std::string& bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
}

void put_text(std::string& bytes, std::string_view text) {
  put(bytes, text.size(), 8);
  bytes += text;
}

// One F32 tensor [1280, 1024, 1024], 5 GiB of holes.
TEST(Info, OpensAFileOfFiveGigabytesWithoutReadingIt) {
  std::string bytes = "GGUF";
  put(bytes, 3, 4);
  put(bytes, 1, 8);
  put(bytes, 1, 8);
  put_text(bytes, "general.architecture");
  put(bytes, 8, 4);
  put_text(bytes, "qwen2");
  put_text(bytes, "big.weight");
  put(bytes, 3, 4);
  for (const uint64_t n : {1024, 1024, 1280}) put(bytes, n, 8);
  put(bytes, 0, 4);
  put(bytes, 0, 8);
  bytes.resize((bytes.size() + 31) / 32 * 32);
  const TemporaryFolder folder;
  const std::string path = folder.write("big.gguf", bytes);
  const auto size = static_cast<off_t>(bytes.size() + (uint64_t{5} << 30));
  ASSERT_EQ(truncate(path.c_str(), size), 0) << "the folder for temporary files takes no sparse file of 5 GiB";
  const json object = json::parse(run({"info", path, "--json"}).out);
  EXPECT_EQ(object["parameters"], 1280 * 1024 * 1024);
}

TEST(Explain, ShowsEveryOpWithDeviceAndTotals) {
  const Outcome outcome = run({"explain", model("qwen2-q4_0")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"embed", "matmul", "attention", "gate_up", "cpu", "total", "splits:   1 in the body",
                           "fused:", "arenas:", "KV:", "weights:"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

TEST(Explain, JsonCountsTheWeightsOfTheFile) {
  const json object = json::parse(run({"explain", model("qwen2-f32"), "--json"}).out);
  EXPECT_EQ(object["n_body_splits"], 1);
  EXPECT_EQ(object["n_fused"], 5);  // two blocks, heads of 12: gate_up, and three norms with the residual before them
  int64_t bytes = 0;
  EXPECT_EQ(object["nodes"].front()["layer"], nullptr);
  for (const json& node : object["nodes"]) {
    if (node["name"] == "blk.1.attn_q") {
      EXPECT_EQ(node["layer"], 1);
    }
    bytes += node["cost"]["weight_bytes"].get<int64_t>();
    EXPECT_EQ(node["answers"].back()["reason"], "takes");
    EXPECT_EQ(node["device"], "cpu");
  }
  EXPECT_EQ(object["totals"]["weight_bytes"], bytes);
  // 2 blocks × (k and v) × 1024 positions × 2 bytes, and the KV width of the file
  const json info = json::parse(run({"info", model("qwen2-f32"), "--json"}).out);
  const int64_t kv_width = info["kv_heads"].get<int64_t>() * info["head_dim"].get<int64_t>();
  EXPECT_EQ(object["kv_bytes"], 2 * 2 * 1024 * 2 * kv_width);
}

TEST(Explain, WhyNamesEveryDeviceAsked) {
  const Outcome outcome = run({"explain", model("qwen2-f32"), "--why", "blk.1.attn_q"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("blk.1.attn_q: matmul, layer 1"));
  EXPECT_THAT(outcome.out, HasSubstr("cpu     takes"));
  const Outcome part = run({"explain", model("qwen2-f32"), "--why", "blk.1.ffn_up"});
  EXPECT_THAT(part.out, HasSubstr("blk.1.ffn_gated: gate_up, layer 1"));
  EXPECT_THAT(part.out, HasSubstr("fused out of blk.1.ffn_gate, blk.1.ffn_up, blk.1.ffn_silu, blk.1.ffn_gated"));
  const Outcome close = run({"explain", model("qwen2-f32"), "--why", "blk.1.atn_q"});
  EXPECT_EQ(close.code, 1);
  EXPECT_THAT(close.err, HasSubstr("there is no node 'blk.1.atn_q'; did you mean 'blk.1.attn_q'"));
  EXPECT_THAT(run({"explain", model("qwen2-f32"), "--why", "nothing"}).err, HasSubstr("the nodes are: token_embd, "));
}

}  // namespace
}  // namespace minfer::test
