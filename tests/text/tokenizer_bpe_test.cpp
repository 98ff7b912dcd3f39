#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

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

// The definition, word for word: the lowest rank that occurs, its leftmost place.
std::vector<std::string> join_naively(std::vector<std::string> symbols,
                                      const std::vector<std::pair<std::string, std::string>>& merges) {
  for (;;) {
    size_t best_rank = merges.size();
    size_t best_at = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto it = std::find(merges.begin(), merges.end(), std::pair(symbols[i], symbols[i + 1]));
      const auto rank = static_cast<size_t>(it - merges.begin());
      if (rank < best_rank) best_rank = rank, best_at = i;
    }
    if (best_rank == merges.size()) return symbols;
    symbols[best_at] += symbols[best_at + 1];
    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(best_at) + 1);
  }
}

TEST(ByteLevelBpe, ShortAndLongWordsAreJoinedAsTheDefinitionSays) {
  std::mt19937 random(7);
  test::TinySpec tiny;
  std::vector<std::string> tokens{"a", "b", "c"};
  std::vector<std::pair<std::string, std::string>> merges;
  while (merges.size() < 60) {
    const std::pair pair(tokens[random() % tokens.size()], tokens[random() % tokens.size()]);
    if (pair.first.size() + pair.second.size() > 9) continue;
    if (std::find(merges.begin(), merges.end(), pair) != merges.end()) continue;
    merges.push_back(pair);
    tiny.merge(pair.first, pair.second);
    const std::string joined = pair.first + pair.second;
    if (std::find(tokens.begin(), tokens.end(), joined) == tokens.end()) tokens.push_back(joined);
  }
  const Tokenizer tokenizer(tiny.spec);
  for (size_t length = 1; length < 120; ++length) {
    std::string text;
    std::vector<std::string> letters;
    for (size_t i = 0; i < length; ++i) letters.push_back(std::string(1, static_cast<char>('a' + random() % 3)));
    for (const std::string& letter : letters) text += letter;
    std::vector<std::string> got;
    for (const TokenId id : tokenizer.encode(text, ControlText::kParse)) got.push_back(tokenizer.token_bytes(id));
    EXPECT_EQ(got, join_naively(letters, merges)) << text;
  }
}

TEST(ByteLevelBpe, WordsThatComeAgainGiveTheSameIds) {
  test::TinySpec tiny;
  const TokenId ab = tiny.merge("a", "b");
  const TokenId space_ab = tiny.merge("\u0120", "ab");
  std::string text = "ab";
  Ids expected{ab};
  for (int i = 0; i < 1000; ++i) {
    text += " ab";
    expected.push_back(space_ab);
    text += " " + std::string(1, static_cast<char>('a' + i % 26)) + std::string(static_cast<size_t>(i) % 20, 'x');
    expected.push_back(' ');
    expected.push_back('a' + i % 26);
    expected.insert(expected.end(), static_cast<size_t>(i) % 20, 'x');
  }
  EXPECT_EQ(encode(tiny, text), expected);
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
