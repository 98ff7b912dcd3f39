#include <gtest/gtest.h>

#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

using Ids = std::vector<TokenId>;

Ids encode(const test::TinySpec& tiny, std::string_view text) {
  return Tokenizer(tiny.spec).encode(text, ControlText::kParse);
}

TEST(ByteLevelBpe, JoinsTheLowestRankFirst) {
  test::TinySpec tiny;
  const TokenId bc = tiny.merge("b", "c");
  tiny.merge("a", "b");
  EXPECT_EQ(encode(tiny, "abc"), (Ids{'a', bc}));
}

TEST(ByteLevelBpe, JoinsTheLeftmostOfEqualRank) {
  test::TinySpec tiny;
  const TokenId aa = tiny.merge("a", "a");
  EXPECT_EQ(encode(tiny, "aaa"), (Ids{aa, 'a'}));
}

TEST(ByteLevelBpe, JoinsWhatEarlierMergesMadePossible) {
  test::TinySpec tiny;
  tiny.merge("a", "b");
  tiny.merge("c", "d");
  const TokenId abcd = tiny.merge("ab", "cd");
  EXPECT_EQ(encode(tiny, "abcdcd"), (Ids{abcd, tiny.spec.tokens[257] == "cd" ? 257 : -1}));
}

TEST(ByteLevelBpe, DropsACandidateWhoseNeighbourChanged) {
  test::TinySpec tiny;
  const TokenId bc = tiny.merge("b", "c");
  const TokenId ab = tiny.merge("a", "b");
  const TokenId xa = tiny.merge("x", "a");
  EXPECT_EQ(encode(tiny, "xabab"), (Ids{'x', ab, ab}));
  EXPECT_EQ(encode(tiny, "xabc"), (Ids{xa, bc}));
}

TEST(ByteLevelBpe, ANewPairWaitsForItsOwnRank) {
  test::TinySpec tiny;
  tiny.merge("b", "c");
  tiny.merge("a", "b");
  const TokenId bcd = tiny.merge("bc", "d");
  tiny.merge("a", "bc");
  EXPECT_EQ(encode(tiny, "abcd"), (Ids{'a', bcd})) << "(a, bc) must not go when (a, b) would have";
}

TEST(ByteLevelBpe, NeverJoinsAcrossPieces) {
  test::TinySpec tiny;
  const TokenId a1 = tiny.merge("a", "1");
  EXPECT_EQ(encode(tiny, "a1"), (Ids{'a', '1'}));
  EXPECT_EQ(tiny.spec.tokens[static_cast<size_t>(a1)], "a1");
}

TEST(ByteLevelBpe, WholePieceInTheVocabularyWinsOnlyWhereTheRuleSaysSo) {
  test::TinySpec tiny;
  const TokenId ab = tiny.merge("a", "b");
  const TokenId abc = tiny.add("abc");
  EXPECT_EQ(encode(tiny, "abc"), (Ids{ab, 'c'}));
  tiny.spec.pre = "llama-bpe";
  EXPECT_EQ(encode(tiny, "abc"), (Ids{abc}));
}

TEST(ByteLevelBpe, WholePieceIsNeverAControlToken) {
  test::TinySpec tiny;
  tiny.spec.pre = "llama-bpe";
  tiny.merge("a", "b");
  const TokenId stop = tiny.add("stop", TokenType::kControl);
  const Tokenizer tokenizer(tiny.spec);
  EXPECT_EQ(tokenizer.encode("stop", ControlText::kParse), (Ids{stop}));
  EXPECT_EQ(tokenizer.encode("stop", ControlText::kAsPlain), (Ids{'s', 't', 'o', 'p'}));
}

TEST(ByteLevelBpe, MergesNeverMakeAControlToken) {
  test::TinySpec tiny;
  tiny.merge("a", "b");
  tiny.add("xy", TokenType::kControl);
  tiny.add_merge("x y");
  EXPECT_EQ(Tokenizer(tiny.spec).encode("xy", ControlText::kAsPlain), (Ids{'x', 'y'}));
}

TEST(ByteLevelBpe, InvalidBytesBecomeTheirByteTokensAndPartTheText) {
  test::TinySpec tiny;
  const TokenId ab = tiny.merge("a", "b");
  EXPECT_EQ(encode(tiny,
                   "ab\xFF\xC3"
                   "ab"),
            (Ids{ab, 0xFF, 0xC3, ab}));
  EXPECT_EQ(encode(tiny, "\xE2\x82"), (Ids{0xE2, 0x82}));
  EXPECT_EQ(encode(tiny, "\xED\xA0\x80"), (Ids{0xED, 0xA0, 0x80}));
  EXPECT_EQ(encode(tiny,
                   "a\x80"
                   "b"),
            (Ids{'a', 0x80, 'b'}));
}

TEST(ByteLevelBpe, AnyBytesComeBackFromDecoding) {
  test::TinySpec tiny;
  tiny.merge("a", "b");
  std::string text;
  uint32_t state = 12345;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
  const Tokenizer tokenizer(tiny.spec);
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text, ControlText::kParse), ControlOutput::kShow), text);
}

}  // namespace
}  // namespace minfer
