#include <gtest/gtest.h>

#include "text/tokenizer/normalizer.h"

namespace minfer {
namespace {

std::string nfc(std::string_view text) {
  std::string buffer;
  return std::string(to_nfc(text, buffer));
}

// Values of the Unicode Character Database and of UAX 15's figures.
TEST(Nfc, ComposesAndReorders) {
  EXPECT_EQ(nfc("e\u0301"), "\u00E9");
  EXPECT_EQ(nfc("\u212B"), "\u00C5");
  EXPECT_EQ(nfc("\u1E9B\u0323"), "\u1E9B\u0323");
  EXPECT_EQ(nfc("s\u0323\u0307"), "\u1E69");
  EXPECT_EQ(nfc("s\u0307\u0323"), "\u1E69");
  EXPECT_EQ(nfc("q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "\uD55C");
  EXPECT_EQ(nfc("\uAC00\u11A8"), "\uAC01");
  EXPECT_EQ(nfc("\u0958"), "\u0915\u093C") << "an excluded composition stays apart";
  EXPECT_EQ(nfc("\uFB01"), "\uFB01") << "compatibility characters stay";
}

// What the package `tokenizers` gives: it normalizes with the tables of Unicode 9.
TEST(Nfc, LeavesCharactersNewerThanUnicode9InTheirPlace) {
  EXPECT_EQ(nfc("q\u0301\u0EBA"), "q\u0301\u0EBA");
  EXPECT_EQ(nfc("q\u0307\u0EBA\u0323"), "q\u0307\u0EBA\u0323");
  EXPECT_EQ(nfc("\U00011935\U00011930"), "\U00011935\U00011930");
  EXPECT_EQ(nfc("\U00011938"), "\U00011938");
  EXPECT_EQ(nfc("e\U0001E136\u0301 e\u0301"), "e\U0001E136\u0301 \u00E9");
}

TEST(Nfc, GivesComposedTextBackUntouched) {
  std::string buffer;
  const std::string_view text = "plain déjà";
  EXPECT_EQ(to_nfc(text, buffer).data(), text.data());
}

TEST(Nfc, OrdersLongRunsOfMarks) {
  constexpr size_t kCount = 200'000;
  std::string text = "q";
  std::string expected = "q";
  for (size_t i = 0; i < kCount; ++i) text += "\u0307\u0323";
  for (size_t i = 0; i < kCount; ++i) expected += "\u0323";
  for (size_t i = 0; i < kCount; ++i) expected += "\u0307";
  EXPECT_EQ(nfc(text), expected);
}

}  // namespace
}  // namespace minfer
