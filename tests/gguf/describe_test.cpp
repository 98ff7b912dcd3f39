// The summary of a model file, as data, text and JSON.
#include "gguf/describe.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gguf/writer.h"

namespace minfer {
namespace {

class Describe : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "describe_" + info->name() + ".gguf";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  GgufModel write_and_open() const {
    writer_.write_file(path_);
    return GgufModel::open(path_);
  }

  void add_model() {
    writer_.add_string("general.architecture", "qwen2");
    writer_.add_string("general.name", "Tiny \x1b[31m");
    writer_.add_u32("qwen2.block_count", 2);
    writer_.add_u32("qwen2.context_length", 32768);
    writer_.add_u32("qwen2.embedding_length", 64);
    writer_.add_u32("qwen2.attention.head_count", 4);
    writer_.add_u32("qwen2.attention.head_count_kv", 2);
    writer_.add_f32("qwen2.rope.freq_base", 1000000.0f);
    writer_.add_string("tokenizer.ggml.model", "gpt2");
    writer_.add_string("tokenizer.ggml.pre", "qwen2");
    std::vector<std::string> tokens;
    for (int i = 0; i < 100; ++i) tokens.push_back("t" + std::to_string(i));
    writer_.add_string_array("tokenizer.ggml.tokens", tokens);
    writer_.add_string("tokenizer.chat_template", "{{ messages }}");
    writer_.add_tensor("token_embd.weight", {DType::kQ8_0, {100, 64}}, std::span(data_).first(6800));
    writer_.add_tensor("output_norm.weight", {DType::kF32, {64}}, std::span(data_).first(256));
    writer_.add_tensor("blk.0.attn_norm.weight", {DType::kF32, {64}}, std::span(data_).first(256));
  }

  std::string path_;
  std::vector<std::byte> data_ = std::vector<std::byte>(6800);
  GgufWriter writer_;
};

TEST_F(Describe, SumsUpTheModel) {
  add_model();
  const ModelSummary s = summarize(write_and_open());
  EXPECT_EQ(s.architecture, "qwen2");
  EXPECT_EQ(s.n_parameters, 6400u + 64 + 64);
  EXPECT_EQ(s.tensor_bytes, 6800u + 256 + 256);
  EXPECT_EQ(s.n_layers, 2u);
  EXPECT_EQ(s.head_dim, 16u);
  EXPECT_EQ(s.n_kv_heads, 2u);
  EXPECT_EQ(s.n_vocab, 100u);
  EXPECT_EQ(s.chat_template_bytes, 14u);
  ASSERT_EQ(s.types.size(), 2u);
  EXPECT_EQ(s.types[0].dtype, DType::kQ8_0);
  EXPECT_EQ(s.types[1].n_tensors, 2u);
  EXPECT_EQ(s.types[1].size_bytes, 512u);
}

TEST_F(Describe, EscapesControlCharactersInText) {
  add_model();
  const std::string text = describe_text(write_and_open(), {.metadata = true, .tensors = true});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("name             Tiny \\x1B[31m\n"), std::string::npos) << text;
}

TEST_F(Describe, ShowsTheEndsOfLongArrays) {
  add_model();
  const std::string text = describe_text(write_and_open(), {});
  EXPECT_NE(text.find(R"(tokenizer.ggml.tokens = 100 × string ["t0", "t1", "t2", "t3", "t4", …, "t97", "t98", "t99"])"),
            std::string::npos)
      << text;
}

TEST_F(Describe, ListsTensorsOnRequest) {
  add_model();
  const GgufModel model = write_and_open();
  EXPECT_EQ(describe_text(model, {}).find("output_norm.weight"), std::string::npos);
  EXPECT_NE(describe_text(model, {.metadata = false, .tensors = true}).find("output_norm.weight"), std::string::npos);
}

TEST_F(Describe, GivesJson) {
  add_model();
  writer_.add_string("odd", "\xff\x7f\xc2\x9b");
  const std::string text = describe_json(write_and_open(), {.metadata = true, .tensors = true});
  for (char c : text) EXPECT_TRUE((c >= 0x20 && c < 0x7F) || c == '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["architecture"], "qwen2");
  EXPECT_EQ(json["parameters"], 6528);
  EXPECT_EQ(json["types"][0]["type"], "Q8_0");
  EXPECT_EQ(json["metadata"]["qwen2.block_count"]["value"], 2);
  EXPECT_EQ(json["metadata"]["tokenizer.ggml.tokens"]["count"], 100);
  EXPECT_EQ(json["metadata"]["tokenizer.ggml.tokens"]["last"][2], "t99");
  EXPECT_EQ(json["tensors"][0]["shape"], (std::vector<int>{100, 64}));
}

TEST_F(Describe, NeverRefusesWhatTheReaderAccepted) {
  writer_.add_u32("general.architecture", 7);
  writer_.add_string("tokenizer.ggml.tokens", "not an array");
  writer_.add_u32_array("tokenizer.chat_template", std::vector<uint32_t>{});
  const GgufModel model = write_and_open();
  const ModelSummary s = summarize(model);
  EXPECT_FALSE(s.architecture || s.n_vocab || s.chat_template_bytes);
  EXPECT_EQ(s.bits_per_weight(), 0.0);
  EXPECT_NE(describe_text(model, {}).find("(not stated)"), std::string::npos);
  EXPECT_FALSE(describe_json(model, {}).empty());
}

TEST_F(Describe, TakesOddHyperParametersAsAbsent) {
  writer_.add_string("general.architecture", "x");
  writer_.add_i32("x.block_count", -1);
  writer_.add_u32("x.attention.head_count", 0);
  writer_.add_u32("x.embedding_length", 64);
  writer_.add_i32_array("x.attention.head_count_kv", std::vector<int32_t>{1, 2});
  writer_.add_string("x.rope.freq_base", "high");
  const ModelSummary s = summarize(write_and_open());
  EXPECT_FALSE(s.n_layers || s.head_dim || s.n_kv_heads || s.rope_freq_base);
}

}  // namespace
}  // namespace minfer
