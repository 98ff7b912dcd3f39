#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

using Ids = std::vector<TokenId>;

class SentencePieceTest : public testing::Test {
 protected:
  SentencePieceTest() {
    tiny_.spec = {};
    tiny_.spec.model = "llama";
    for (int byte = 0; byte < 256; ++byte) add(fmt::format("<0x{:02X}>", byte), 0, TokenType::kByte);
    unknown_ = add("<unk>", 0, TokenType::kUnknown);
    tiny_.spec.unk_id = unknown_;
    space_ = add("\u2581", -50);
    a_ = add("a", -51);
    b_ = add("b", -52);
    c_ = add("c", -53);
  }

  TokenId add(std::string_view text, float score, TokenType type = TokenType::kNormal) {
    tiny_.spec.scores.push_back(score);
    return tiny_.add(text, type);
  }

  Ids encode(std::string_view text) const { return Tokenizer(tiny_.spec).encode(text, ControlText::kParse); }

  std::string refusal() const {
    try {
      const Tokenizer tokenizer(tiny_.spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  test::TinySpec tiny_;
  TokenId unknown_ = 0, space_ = 0, a_ = 0, b_ = 0, c_ = 0;
};

TEST_F(SentencePieceTest, JoinsTheHighestScoreFirst) {
  const TokenId ab = add("ab", -2);
  const TokenId bc = add("bc", -1);
  EXPECT_EQ(encode("abc"), (Ids{space_, a_, bc}));
  EXPECT_EQ(encode("abab"), (Ids{space_, ab, ab}));
  const TokenId aa = add("aa", 0.5F);
  EXPECT_EQ(encode("aaab"), (Ids{space_, aa, ab})) << "the leftmost of equal scores";
}

TEST_F(SentencePieceTest, CharactersWithoutATokenBecomeBytes) {
  EXPECT_EQ(encode("a\u00E9"), (Ids{space_, a_, 0xC3, 0xA9}));
  EXPECT_EQ(encode("\xFF\xE2\x82"), (Ids{space_, 0xFF, 0xE2, 0x82}));
  EXPECT_EQ(encode("\n"), (Ids{space_, '\n'}));
}

TEST_F(SentencePieceTest, WithoutByteTokensARunBecomesOneUnknownToken) {
  for (size_t byte = 0; byte < 256; ++byte) tiny_.spec.token_types[byte] = static_cast<int32_t>(TokenType::kUnused);
  EXPECT_EQ(encode("xya zx"), (Ids{space_, unknown_, a_, space_, unknown_}));
  tiny_.spec.unk_id = std::nullopt;
  EXPECT_NE(refusal().find("256 of 256 byte tokens are missing (first: <0x00>)"), std::string::npos) << refusal();
}

TEST_F(SentencePieceTest, SpacesAreAddedAndRemovedAsTheFileSays) {
  const TokenId end = add("</s>", 0, TokenType::kControl);
  EXPECT_EQ(encode(" a  b "), (Ids{space_, space_, a_, space_, space_, b_, space_}));
  EXPECT_EQ(encode("a</s>b"), (Ids{space_, a_, end, space_, b_}));
  EXPECT_EQ(encode(""), Ids{});
  tiny_.spec.add_space_prefix = false;
  EXPECT_EQ(encode("a b"), (Ids{a_, space_, b_}));
  tiny_.spec.remove_extra_whitespaces = true;
  EXPECT_EQ(encode("  a   b  "), (Ids{a_, space_, b_}));
}

TEST_F(SentencePieceTest, TokensWithASpaceInsideAreFound) {
  const TokenId a_space = add("a\u2581", -3);
  const TokenId phrase = add("a\u2581b", -2);
  EXPECT_EQ(encode("ca b"), (Ids{space_, c_, phrase}));
  EXPECT_EQ(encode("a c"), (Ids{space_, a_space, c_}));
}

TEST_F(SentencePieceTest, UserDefinedSpacesAreJoinedAndDecodedAsSpaces) {
  const TokenId two = add("\u2581\u2581", -1, TokenType::kUserDefined);
  tiny_.spec.add_space_prefix = false;
  EXPECT_EQ(encode("a  b"), (Ids{a_, two, b_}));
  EXPECT_EQ(Tokenizer(tiny_.spec).token_bytes(two), "  ");
}

TEST_F(SentencePieceTest, DecodesSpacesAndBytes) {
  const TokenId word = add("\u2581ab\u2581\u2581c", -3);
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.token_bytes(word), " ab  c");
  EXPECT_EQ(tokenizer.token_bytes(0x0A), "\n");
  EXPECT_EQ(tokenizer.decode(Ids{space_, 0xC3, 0xA9, a_}, ControlOutput::kHide), " \u00E9a");
}

TEST_F(SentencePieceTest, NeverMakesAControlOrUnusedToken) {
  add("ab", 1, TokenType::kControl);
  add("bc", 1, TokenType::kUnused);
  EXPECT_EQ(Tokenizer(tiny_.spec).encode("abc", ControlText::kAsPlain), (Ids{space_, a_, b_, c_}));
}

TEST_F(SentencePieceTest, AddsABeginTokenUnlessTheFileSaysNo) {
  tiny_.spec.bos_id = add("<s>", 0, TokenType::kControl);
  EXPECT_TRUE(Tokenizer(tiny_.spec).adds_bos());
  tiny_.spec.add_bos = false;
  EXPECT_FALSE(Tokenizer(tiny_.spec).adds_bos());
}

TEST_F(SentencePieceTest, RefusesBadScores) {
  tiny_.spec.scores[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refusal().find("the score of token 7 is nan"), std::string::npos) << refusal();
  tiny_.spec.scores.clear();
  EXPECT_NE(refusal().find("tokenizer.ggml.scores is missing"), std::string::npos) << refusal();
}

TEST_F(SentencePieceTest, LongTextsTakeNearlyLinearTime) {
  std::string run = "a";
  TokenId last = a_;
  for (int i = 0; i < 4; ++i, run += run) last = add(run + run, static_cast<float>(-i));
  tiny_.spec.add_space_prefix = false;
  constexpr size_t kLength = size_t{1} << 18;
  EXPECT_EQ(encode(std::string(kLength, 'a')), Ids(kLength / 16, last));
  EXPECT_EQ(encode(std::string(kLength, ' ')), Ids(kLength, space_));
  EXPECT_EQ(encode(std::string(kLength, '\xFF')), Ids(kLength, 0xFF));
}

}  // namespace
}  // namespace minfer
