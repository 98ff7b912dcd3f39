#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

using Ids = std::vector<TokenId>;

class SpecialTokensTest : public testing::Test {
 protected:
  SpecialTokensTest() { ab_ = tiny_.merge("a", "b"); }

  test::TinySpec tiny_;
  TokenId ab_;
};

TEST_F(SpecialTokensTest, EarliestPlaceThenLongestTextWins) {
  const TokenId end = tiny_.add("<e>", TokenType::kControl);
  const TokenId longer = tiny_.add("<e>!", TokenType::kControl);
  const TokenId late = tiny_.add("e>!!!", TokenType::kControl);
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.encode("ab<e>!!!", ControlText::kParse), (Ids{ab_, longer, '!', '!'}));
  EXPECT_EQ(tokenizer.encode("<e><e", ControlText::kParse), (Ids{end, '<', 'e'}));
  EXPECT_EQ(tokenizer.encode("e>!!!", ControlText::kParse), (Ids{late}));
}

TEST_F(SpecialTokensTest, PlainTextHoldsUserDefinedTokensOnly) {
  const TokenId control = tiny_.add("<c>", TokenType::kControl);
  const TokenId longer = tiny_.add("<c>+", TokenType::kUserDefined);
  const TokenId tool = tiny_.add("<tool>", TokenType::kUserDefined);
  tiny_.add("<normal>");
  tiny_.add("<unused>", TokenType::kUnused);
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.encode("<c><tool>", ControlText::kAsPlain), (Ids{'<', 'c', '>', tool}));
  EXPECT_EQ(tokenizer.encode("<c><c>+", ControlText::kParse), (Ids{control, longer}));
  EXPECT_EQ(tokenizer.encode("<c>+", ControlText::kAsPlain), (Ids{longer}));
  EXPECT_EQ(tokenizer.encode("<normal>", ControlText::kParse).size(), 8U);
  EXPECT_EQ(tokenizer.encode("<unused>", ControlText::kParse).size(), 8U);
}

TEST_F(SpecialTokensTest, SomeTokensAreControlWhateverTheFileSays) {
  const TokenId start = tiny_.add("<|im_start|>", TokenType::kNormal);
  const TokenId end = tiny_.add("<|im_end|>", TokenType::kUserDefined);
  const TokenId eos = tiny_.add("</s>", TokenType::kNormal);
  const TokenId bos = tiny_.add("BOS", TokenType::kUserDefined);
  tiny_.spec.eos_id = eos;
  tiny_.spec.bos_id = bos;
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.encode("<|im_start|><|im_end|></s>BOS", ControlText::kParse), (Ids{start, end, eos, bos}));
  for (const TokenId id : tokenizer.encode("<|im_start|><|im_end|></s>BOS", ControlText::kAsPlain)) EXPECT_LT(id, 256);
}

TEST_F(SpecialTokensTest, SegmentsTrustTheirOwnTextAlone) {
  const TokenId c = tiny_.add("<c>", TokenType::kControl);
  const Tokenizer tokenizer(tiny_.spec);
  const auto parse = ControlText::kParse;
  const auto plain = ControlText::kAsPlain;
  const auto encode = [&](std::vector<TextSegment> segments) { return tokenizer.encode(segments); };
  EXPECT_EQ(encode({{"<c>", parse}, {"<c>", plain}, {"<c>", parse}}), (Ids{c, '<', 'c', '>', c}));
  EXPECT_EQ(encode({{"<", plain}, {"c>", parse}}), (Ids{'<', 'c', '>'}));
  EXPECT_EQ(encode({{"<c", parse}, {">", plain}}), (Ids{'<', 'c', '>'}));
  EXPECT_EQ(encode({{"<c", parse}, {"", plain}, {">", parse}}), (Ids{c}));
  EXPECT_EQ(encode({{"a", parse}, {"b", plain}}), (Ids{ab_})) << "borders cut no word";
}

TEST_F(SpecialTokensTest, BosComesOnlyIfAskedForAndOnlyOnce) {
  const TokenId bos = tiny_.add("<s>", TokenType::kControl);
  tiny_.spec.bos_id = bos;
  for (const std::optional<bool> add : {std::optional<bool>(), std::optional<bool>(false)}) {
    tiny_.spec.add_bos = add;
    Ids ids{ab_};
    Tokenizer(tiny_.spec).add_bos(ids);
    EXPECT_EQ(ids, (Ids{ab_}));
  }
  tiny_.spec.add_bos = true;
  const Tokenizer tokenizer(tiny_.spec);
  Ids ids = tokenizer.encode("ab", ControlText::kParse);
  EXPECT_EQ(ids, (Ids{ab_}));
  tokenizer.add_bos(ids);
  tokenizer.add_bos(ids);
  EXPECT_EQ(ids, (Ids{bos, ab_}));
  Ids empty;
  tokenizer.add_bos(empty);
  EXPECT_EQ(empty, (Ids{bos}));
}

TEST_F(SpecialTokensTest, GenerationEndsAtTheFilesIdsAndKnownControlTexts) {
  const TokenId eos = tiny_.add("done");
  const TokenId eom = tiny_.add("later", TokenType::kControl);
  const TokenId im_end = tiny_.add("<|im_end|>");
  const TokenId text = tiny_.add("<|endoftext|>", TokenType::kControl);
  const TokenId user = tiny_.add("<|eot_id|>", TokenType::kUserDefined);
  tiny_.spec.eos_id = eos;
  tiny_.spec.eom_id = eom;
  const Tokenizer tokenizer(tiny_.spec);
  const auto ends = tokenizer.end_of_generation();
  EXPECT_EQ(Ids(ends.begin(), ends.end()), (Ids{eos, eom, im_end, text}));
  EXPECT_TRUE(tokenizer.is_end_of_generation(eos));
  EXPECT_FALSE(tokenizer.is_end_of_generation(user));
  EXPECT_FALSE(tokenizer.is_end_of_generation(-1));
}

TEST_F(SpecialTokensTest, GenerationEndsWhereFillingInEnds) {
  const TokenId pad = tiny_.add("<|fim_pad|>", TokenType::kUserDefined);
  const TokenId part = tiny_.add("<|end|>", TokenType::kControl);
  EXPECT_TRUE(Tokenizer(tiny_.spec).is_end_of_generation(pad));
  EXPECT_TRUE(Tokenizer(tiny_.spec).is_end_of_generation(part));
  const TokenId whole = tiny_.add("<|return|>", TokenType::kControl);
  EXPECT_FALSE(Tokenizer(tiny_.spec).is_end_of_generation(part)) << "it closes a part of an answer";
  EXPECT_TRUE(Tokenizer(tiny_.spec).is_end_of_generation(whole));
}

TEST_F(SpecialTokensTest, FillInPromptsAreMadeOfTheTokensThatTheFileNames) {
  const TokenId pre = tiny_.add("<p>", TokenType::kControl);
  const TokenId suf = tiny_.add("<s>", TokenType::kControl);
  const TokenId mid = tiny_.add("<m>", TokenType::kControl);
  tiny_.spec.fim_pre_id = pre;
  tiny_.spec.fim_suf_id = suf;
  EXPECT_THROW(Tokenizer(tiny_.spec).encode_fill_in("a", "b"), Error) << "one is missing";
  tiny_.spec.fim_mid_id = mid;
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.encode_fill_in("ab", "x<m>"), (Ids{pre, ab_, suf, 'x', '<', 'm', '>', mid}));
  EXPECT_EQ(tokenizer.encode_fill_in("", ""), (Ids{pre, suf, mid}));
  tiny_.spec.fim_mid_id = 99999;
  EXPECT_THROW(Tokenizer(tiny_.spec).n_vocab(), Error);
}

TEST_F(SpecialTokensTest, FillInTokensAreKnownByTheirTexts) {
  tiny_.add("<fim_prefix>");
  const TokenId pre = tiny_.add("<|fim_prefix|>", TokenType::kControl);
  const TokenId suf = tiny_.add("<|fim_suffix|>", TokenType::kUserDefined);
  EXPECT_THROW(Tokenizer(tiny_.spec).encode_fill_in("a", "b"), Error);
  const TokenId mid = tiny_.add("<|fim_middle|>", TokenType::kControl);
  EXPECT_EQ(Tokenizer(tiny_.spec).encode_fill_in("a", "b"), (Ids{pre, 'a', suf, 'b', mid}));
}

TEST_F(SpecialTokensTest, NormalizationStopsAtSpecialTokens) {
  tiny_.spec.pre = "qwen2";
  const TokenId c = tiny_.add("e", TokenType::kUnused) + 1;
  tiny_.add("<c>", TokenType::kControl);
  tiny_.spec.tokens[static_cast<size_t>(c) - 1] = "";
  EXPECT_EQ(Tokenizer(tiny_.spec).encode("e<c>\u0301e\u0301", ControlText::kParse),
            (Ids{'e', c, 0xCC, 0x81, 0xC3, 0xA9}));
}

}  // namespace
}  // namespace minfer
