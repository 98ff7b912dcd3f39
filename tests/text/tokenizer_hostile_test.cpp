// Metadata that does not hold together is refused with the place and the numbers.
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "tests/text/tokenizer_tiny_spec.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {
namespace {

std::string refusal(const std::function<void(test::TinySpec&)>& damage) {
  test::TinySpec tiny;
  tiny.merge("a", "b");
  damage(tiny);
  try {
    const Tokenizer tokenizer(tiny.spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

#define EXPECT_SAYS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST(HostileTokenizer, UndamagedMetadataIsAccepted) {
  EXPECT_EQ(refusal([](auto&) {}), "accepted");
  EXPECT_EQ(refusal([](auto& t) { t.spec.model = "gpt2"; }), "accepted");
  EXPECT_EQ(refusal([](auto& t) { t.spec.token_types.clear(); }), "accepted");
  EXPECT_EQ(refusal([](auto& t) { t.add(""), t.add(""); }), "accepted") << "empty texts may repeat";
}

TEST(HostileTokenizer, RefusesInTheContractsWords) {
  EXPECT_EQ(refusal([](auto& t) { t.spec.model = "bert"; }),
            "tokenizer.ggml.model = \"bert\" is not a byte-level BPE (\"gpt2\") or a SentencePiece BPE (\"llama\"); "
            "minfer's tokenizer implements these only");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.merges.clear(); }), "tokenizer.ggml.merges is empty; ");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.tokens[0x41] = "AA", t.spec.tokens[0xF0] = "BB"; }),
              "vocabulary is not byte-level complete: 2 of 256 byte tokens are missing (first: <0x41>); ");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.token_types[0x20] = 3; }),
              "1 of 256 byte tokens are missing (first: <0x20>)");
}

TEST(HostileTokenizer, AcceptsAVocabularyWithoutBytesThatTextNeedsNot) {
  test::TinySpec tiny;
  const TokenId ab = tiny.merge("a", "b");
  for (const size_t byte : {0x04, 0x1D, 0x7F, 0xC0, 0xF1, 0xF5, 0xFF}) tiny.spec.tokens[byte] = "";
  const Tokenizer tokenizer(tiny.spec);
  EXPECT_EQ(tokenizer.missing_bytes(), (std::vector<uint8_t>{0x04, 0x1D, 0x7F, 0xC0, 0xF1, 0xF5, 0xFF}));
  EXPECT_EQ(tokenizer.encode("ab\xFF\x04", ControlText::kParse), (std::vector<TokenId>{ab}));
  EXPECT_EQ(tokenizer.encode("\x1D", ControlText::kParse), (std::vector<TokenId>{}));
  for (const size_t byte : {'\t', '\n', '\r', ' ', 'A'}) {
    EXPECT_SAYS(refusal([&](auto& t) { t.spec.tokens[byte] = ""; }), "1 of 256 byte tokens are missing");
  }
}

TEST(HostileTokenizer, RefusesArraysOfOtherLengths) {
  EXPECT_SAYS(refusal([](auto& t) { t.spec.tokens.clear(), t.spec.token_types.clear(); }),
              "tokenizer.ggml.tokens is missing or empty");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.token_types.pop_back(); }), "token_type has 256 entries: expected 257");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.scores = {1.0F}; }), "scores has 1 entries: expected 257");
}

TEST(HostileTokenizer, RefusesBadTokens) {
  EXPECT_SAYS(refusal([](auto& t) { t.spec.token_types[7] = 7; }), "token 7 has type 7: expected 0 to 6");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.token_types[7] = -2147483647 - 1; }), "token 7 has type -2147483648");
  EXPECT_SAYS(refusal([](auto& t) { t.add(std::string(64 * 1024 + 1, 'x')); }), "token 257 has 65537 bytes");
  EXPECT_EQ(refusal([](auto& t) { t.add(std::string(64 * 1024, 'x')); }), "accepted");
  EXPECT_SAYS(refusal([](auto& t) { t.add(std::string(1025, 'x'), TokenType::kControl); }),
              "special token 257 has 1025");
  EXPECT_SAYS(refusal([](auto& t) { t.add("ab"); }), "tokens 256 and 257 have the same text \"ab\"");
}

TEST(HostileTokenizer, RefusesIdsOutOfRange) {
  EXPECT_SAYS(refusal([](auto& t) { t.spec.bos_id = 257; }), "bos_token_id = 257 is out of range: expected 0 to 256");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.eos_id = -1; }), "eos_token_id = -1 is out of range");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.pad_id = int64_t{1} << 32; }), "padding_token_id = 4294967296");
  EXPECT_SAYS(refusal([](auto& t) { t.spec.add_bos = true; }), "bos_token_id is missing");
}

TEST(HostileTokenizer, RefusesBadMerges) {
  for (const char* merge : {"", " ", "ab", "a ", " b", "a b c", "a  b"}) {
    EXPECT_SAYS(refusal([&](auto& t) { t.add_merge(merge); }), "expected two texts with one space between");
  }
  EXPECT_SAYS(refusal([](auto& t) { t.add_merge("a zz"); }), "merge 1 \"a zz\": \"zz\" is not a token");
  EXPECT_SAYS(refusal([](auto& t) { t.add_merge("b a"); }), "\"ba\" is not a token");
  EXPECT_SAYS(refusal([](auto& t) { t.add_merge("a b"); }), "merges 0 and 1 are the same: \"a b\"");
  EXPECT_SAYS(refusal([](auto& t) { t.add_merge("\x1b \xff"); }), "\\x1B");
}

}  // namespace
}  // namespace minfer
