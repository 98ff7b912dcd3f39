// Ids equal to the ones of the package `tokenizers`, for every pre-tokenizer rule.
#include <gtest/gtest.h>

#include "tests/text/tokenizer_golden_file.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

class TokenizerGoldenTest : public testing::TestWithParam<const char*> {
 protected:
  test::TokenizerGolden golden_ =
      test::read_tokenizer_golden(std::string(MINFER_SOURCE_DIR "/tests/data/tokenizer/") + GetParam() + ".json");
  Tokenizer tokenizer_{golden_.spec()};
};

TEST_P(TokenizerGoldenTest, IdsEqualTheReferenceWithControlTokensParsed) {
  ASSERT_GT(golden_.cases.size(), 150U);
  for (const auto& one : golden_.cases) {
    EXPECT_EQ(tokenizer_.encode(one.text, ControlText::kParse), one.ids) << one.text;
  }
}

TEST_P(TokenizerGoldenTest, IdsEqualTheReferenceWithControlTokensAsPlainText) {
  for (const auto& one : golden_.cases) {
    EXPECT_EQ(tokenizer_.encode(one.text, ControlText::kAsPlain), one.ids_as_plain) << one.text;
  }
}

TEST_P(TokenizerGoldenTest, PlainTextNeverHoldsAControlToken) {
  for (const auto& one : golden_.cases) {
    for (const TokenId id : tokenizer_.encode(one.text, ControlText::kAsPlain)) {
      EXPECT_FALSE(tokenizer_.is_control(id)) << one.text;
    }
  }
}

// Not so where text is normalized, and for bytes without a token (the small vocabulary of smollm lacks some).
TEST_P(TokenizerGoldenTest, DecodingGivesBackTheText) {
  const bool is_lossless = golden_.pre == "gpt-2" || golden_.pre == "llama-bpe";
  size_t n_changed = 0;
  for (const auto& one : golden_.cases) {
    const std::string text = tokenizer_.decode(one.ids, ControlOutput::kShow);
    if (text != one.text) ++n_changed;
    EXPECT_EQ(tokenizer_.decode(one.ids_as_plain, ControlOutput::kShow).empty(), text.empty());
  }
  EXPECT_EQ(n_changed == 0, is_lossless) << n_changed;
  EXPECT_EQ(tokenizer_.missing_bytes().empty(), golden_.pre != "smollm");
}

class SentencePieceGoldenTest : public testing::TestWithParam<const char*> {};

TEST_P(SentencePieceGoldenTest, IdsEqualTheReference) {
  const test::TokenizerGolden golden =
      test::read_tokenizer_golden(std::string(MINFER_SOURCE_DIR "/tests/data/tokenizer/") + GetParam() + ".json");
  const Tokenizer tokenizer(golden.spec());
  ASSERT_GT(golden.cases.size(), 150U);
  for (const auto& one : golden.cases) {
    EXPECT_EQ(tokenizer.encode(one.text, ControlText::kParse), one.ids) << one.text;
    EXPECT_EQ(tokenizer.encode(one.text, ControlText::kAsPlain), one.ids_as_plain) << one.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Prefix, SentencePieceGoldenTest, testing::Values("sentencepiece", "sentencepiece-no-prefix"),
                         [](const auto& param) {
                           return std::string(param.param).ends_with("no-prefix") ? "Without" : "With";
                         });

INSTANTIATE_TEST_SUITE_P(Rules, TokenizerGoldenTest, testing::Values("gpt-2", "llama-bpe", "qwen2", "qwen35", "smollm"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace minfer
