// Long and one-sided texts: the ids are known in closed form, and quadratic work would take very long.
#include <gtest/gtest.h>

#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

using Ids = std::vector<TokenId>;

constexpr size_t kLength = size_t{1} << 17;

class LongTextTest : public testing::TestWithParam<const char*> {
 protected:
  LongTextTest() {
    tiny_.spec.pre = GetParam();
    std::string text = "a";
    for (int i = 0; i < 4; ++i, text += text) last_ = tiny_.merge(text, text);  // a¹⁶ is the longest
    control_ = tiny_.add(std::string(1000, 'a') + "!", TokenType::kControl);
  }

  size_t encode_and_compare(const std::string& text) const {
    const Tokenizer tokenizer(tiny_.spec);
    const Ids ids = tokenizer.encode(text, ControlText::kAsPlain);
    EXPECT_EQ(tokenizer.decode(ids, ControlOutput::kShow), text);
    return ids.size();
  }

  test::TinySpec tiny_;
  TokenId last_ = 0;
  TokenId control_ = 0;
};

TEST_P(LongTextTest, OneLetter) {
  const Ids ids = Tokenizer(tiny_.spec).encode(std::string(kLength, 'a'), ControlText::kAsPlain);
  EXPECT_EQ(ids, Ids(kLength / 16, last_));
}

TEST_P(LongTextTest, SpacesNewlinesAndDigits) {
  EXPECT_EQ(encode_and_compare(std::string(kLength, ' ')), kLength);
  EXPECT_EQ(encode_and_compare(std::string(kLength, ' ') + "x"), kLength + 1);
  EXPECT_EQ(encode_and_compare(std::string(kLength, '\n')), kLength);
  EXPECT_EQ(encode_and_compare(std::string(kLength, '7')), kLength);
}

TEST_P(LongTextTest, InvalidAndMixedBytes) {
  EXPECT_EQ(encode_and_compare(std::string(kLength, '\xFF')), kLength);
  std::string text;
  for (size_t i = 0; i < kLength / 8; ++i) text += "a\xE4\xB8\xAD \xF0'\n";
  EXPECT_EQ(encode_and_compare(text), text.size());
}

TEST_P(LongTextTest, NearMissesOfALongSpecialToken) {
  const std::string text(kLength / 16, 'a');
  EXPECT_EQ(Tokenizer(tiny_.spec).encode(text, ControlText::kParse), Ids(kLength / 256, last_));
}

INSTANTIATE_TEST_SUITE_P(Rules, LongTextTest, testing::Values("gpt-2", "llama-bpe", "qwen2", "smollm"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace minfer
