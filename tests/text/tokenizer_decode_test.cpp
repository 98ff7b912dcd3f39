#include <gtest/gtest.h>

#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

class DecodeTest : public testing::Test {
 protected:
  DecodeTest() {
    tiny_.merge("a", "b");
    euro_tail_ = tiny_.add("\xC4\xA4\xC2\xAC!");  // the letters of the bytes 82 AC 21
    end_ = tiny_.add("<|im_end|>", TokenType::kControl);
    tool_ = tiny_.add("<tool é>", TokenType::kUserDefined);
    unused_ = tiny_.add("[PAD7]", TokenType::kUnused);
    odd_ = tiny_.add("日x");
    broken_ = tiny_.add("\xE1\xA5");
  }

  test::TinySpec tiny_;
  TokenId euro_tail_, end_, tool_, unused_, odd_, broken_;
};

TEST_F(DecodeTest, GivesTheBytesOfEveryKindOfToken) {
  const Tokenizer tokenizer(tiny_.spec);
  EXPECT_EQ(tokenizer.token_bytes(0), std::string_view("\0", 1));
  EXPECT_EQ(tokenizer.token_bytes(0xAD), "\xAD");
  EXPECT_EQ(tokenizer.token_bytes(euro_tail_), "\x82\xAC!");
  EXPECT_EQ(tokenizer.token_bytes(tool_), "<tool é>") << "not written in the byte alphabet";
  EXPECT_EQ(tokenizer.token_bytes(odd_), "日x") << "code points outside the alphabet pass through";
  EXPECT_EQ(tokenizer.token_bytes(broken_), "\xE1\xA5") << "bytes that are not UTF-8 as well";
  EXPECT_EQ(tokenizer.token_bytes(-1), "");
  EXPECT_EQ(tokenizer.token_bytes(static_cast<TokenId>(tokenizer.n_vocab())), "");
}

TEST_F(DecodeTest, HidesOrShowsControlTokens) {
  const Tokenizer tokenizer(tiny_.spec);
  const std::vector<TokenId> ids{'x', end_, tool_, 99999, 'y'};
  EXPECT_EQ(tokenizer.decode(ids, ControlOutput::kShow), "x<|im_end|><tool é>y");
  EXPECT_EQ(tokenizer.decode(ids, ControlOutput::kHide), "x<tool é>y");
}

TEST_F(DecodeTest, StreamHoldsBackPartsOfACharacterOnly) {
  const Tokenizer tokenizer(tiny_.spec);
  StreamDetokenizer stream(tokenizer, ControlOutput::kHide);
  EXPECT_EQ(stream.push('a'), "a");
  EXPECT_EQ(stream.push(0xE2), "");
  EXPECT_EQ(stream.push(end_), "") << "hidden, and does not end the character";
  EXPECT_EQ(stream.push(euro_tail_), "€!");
  EXPECT_EQ(stream.push(0xF0), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
  EXPECT_EQ(stream.finish(), "");
}

TEST_F(DecodeTest, CopiedStreamsContinueOnTheirOwn) {
  const Tokenizer tokenizer(tiny_.spec);
  StreamDetokenizer first(tokenizer, ControlOutput::kHide);
  EXPECT_EQ(first.push(0xC3), "");
  StreamDetokenizer second = first;
  EXPECT_EQ(first.push(0xA9), "é");
  EXPECT_EQ(second.push(0xA8), "è");
}

}  // namespace
}  // namespace minfer
