#include <gtest/gtest.h>

#include "base/error.h"
#include "text/tokenizer/pre_tokenizer.h"

namespace minfer {
namespace {

using Pieces = std::vector<std::string_view>;

Pieces split(const char* pre, std::string_view text) {
  const PreTokenizer pre_tokenizer(find_pre_tokenizer_rule(std::string(pre)));
  PieceReader reader(pre_tokenizer);
  Pieces pieces;
  std::string_view piece;
  reader.start(text);
  while (reader.next(piece)) pieces.push_back(piece);
  return pieces;
}

std::string refusal(std::optional<std::string_view> pre) {
  try {
    find_pre_tokenizer_rule(pre);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    return error.what();
  }
  return "";
}

TEST(PreTokenizer, CutsDigitsAsEachRuleSays) {
  EXPECT_EQ(split("gpt-2", "x 12345"), (Pieces{"x", " 12345"}));
  EXPECT_EQ(split("llama-bpe", "x 12345"), (Pieces{"x", " ", "123", "45"}));
  EXPECT_EQ(split("qwen2", "x 123"), (Pieces{"x", " ", "1", "2", "3"}));
  EXPECT_EQ(split("smollm", "x 123"), (Pieces{"x", " ", "1", "2", "3"}));
}

TEST(PreTokenizer, LaterExpressionsSeeThePiecesOfEarlierOnesAlone) {
  EXPECT_EQ(split("smollm", "a  1"), (Pieces{"a", "  ", "1"})) << "the spaces end their piece";
  EXPECT_EQ(split("gpt-2", "a  1"), (Pieces{"a", " ", " 1"}));
}

TEST(PreTokenizer, FoldsTheCaseOfContractionsWhereTheRuleSaysSo) {
  EXPECT_EQ(split("qwen2", "IT'S"), (Pieces{"IT", "'S"}));
  EXPECT_EQ(split("gpt-2", "IT'S"), (Pieces{"IT", "'", "S"}));
  EXPECT_EQ(split("gpt-2", "it's"), (Pieces{"it", "'s"}));
}

TEST(PreTokenizer, KeepsMarksWithLettersForQwen35Only) {
  EXPECT_EQ(split("qwen35", "a\u0301b"), (Pieces{"a\u0301b"}));
  EXPECT_EQ(split("qwen2", "a\u0301b"), (Pieces{"a", "\u0301b"}));
}

TEST(PreTokenizer, KnowsTheWhiteSpaceOfUnicode) {
  EXPECT_EQ(split("qwen2", "a\u3000\u0085 b"), (Pieces{"a", "\u3000\u0085", " b"}));
  EXPECT_EQ(split("gpt-2", "a\u180Eb"), (Pieces{"a", "\u180E", "b"}));
  EXPECT_EQ(split("gpt-2", " \u180E"), (Pieces{" \u180E"})) << "not white space since Unicode 6.3";
}

TEST(PreTokenizer, KnowsLettersThatAreNewerThanTheLibrary) {
  EXPECT_EQ(split("gpt-2", "a\U00031350b"), (Pieces{"a\U00031350b"}));
  EXPECT_EQ(split("gpt-2", "a\U000E0100"), (Pieces{"a", "\U000E0100"}));
}

TEST(PreTokenizer, AliasesNameTheSameRule) {
  EXPECT_EQ(&find_pre_tokenizer_rule("deepseek-r1-qwen"), &find_pre_tokenizer_rule("qwen2"));
  EXPECT_EQ(&find_pre_tokenizer_rule("llama3"), &find_pre_tokenizer_rule("llama-bpe"));
  EXPECT_EQ(&find_pre_tokenizer_rule("llama-v3"), &find_pre_tokenizer_rule("llama-bpe"));
}

TEST(PreTokenizer, RefusesAnUnknownOrMissingName) {
  const std::string unknown = refusal("default");
  EXPECT_TRUE(
      unknown.starts_with("tokenizer.ggml.pre = \"default\" is not supported by minfer's byte-level BPE "
                          "pre-tokenizer (supported: \"bloom\", aliases \"gpt3-finnish\", \"poro-chat\"; "))
      << unknown;
  EXPECT_NE(unknown.find("; \"smollm\"; \"starcoder\"; \"tekken\"; "), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("--tokenizer-pre"), std::string::npos) << unknown;
  EXPECT_NE(refusal(std::nullopt).find("--tokenizer-pre"), std::string::npos);
  EXPECT_TRUE(refusal(std::nullopt)
                  .starts_with("tokenizer.ggml.pre is missing, so the pre-tokenization rule is unknown; minfer refuses "
                               "to guess ("));
  EXPECT_NE(refusal("").find("tokenizer.ggml.pre = \"\" is not supported"), std::string::npos);
  EXPECT_NE(refusal("llama-v3 llama3").find("is not supported"), std::string::npos);
  EXPECT_NE(refusal("a\x1b[2J").find("a\\x1B[2J"), std::string::npos);
}

}  // namespace
}  // namespace minfer
