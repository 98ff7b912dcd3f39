#include <gtest/gtest.h>
#include <utf8proc.h>

#include <cstdlib>

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

TEST(Nfc, ComposesEachStretchWithTheCharacterBefore) {
  EXPECT_EQ(nfc("plain cafe\u0301 \u2014 a\u030Ae\u0301, \u4E2D\u6587 nai\u0308ve end"),
            "plain caf\u00E9 \u2014 \u00E5\u00E9, \u4E2D\u6587 na\u00EFve end");
  EXPECT_EQ(nfc("\u00E5\u0301 \u304B\u3099\u304B \u2014e\u0301"), "\u01FB \u304C\u304B \u2014\u00E9");
  EXPECT_EQ(nfc("\u0301a"), "\u0301a");
}

// All canonical decompositions of the library's own table, with what NFC of the library makes of them.
TEST(Nfc, EqualsTheLibraryOnEveryCharacterAndDecomposition) {
  const auto reference = [](const std::string& text) {
    utf8proc_uint8_t* composed = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str()));
    std::string out(reinterpret_cast<const char*>(composed));
    std::free(composed);
    return out;
  };
  const auto append = [](int32_t code_point, std::string& out) {
    utf8proc_uint8_t bytes[4];
    const auto n = utf8proc_encode_char(code_point, bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(n));
  };
  // Up to the Hangul syllables, and the compatibility ideographs; later planes have characters newer than Unicode 9.
  for (int32_t c = 0x80; c < 0xFB50; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    int32_t parts[32];
    int state = 0;
    const auto n = utf8proc_decompose_char(c, parts, 32, UTF8PROC_DECOMPOSE, &state);
    std::string whole = "a";
    append(c, whole);
    std::string apart;
    for (int i = 0; i < n; ++i) append(parts[i], apart);
    if (utf8proc_get_property(c)->combining_class == 0 || n > 1) {
      ASSERT_EQ(nfc(whole), reference(whole)) << c;
    }
    if (n > 1) {
      ASSERT_EQ(nfc(apart), reference(apart)) << c;
    }
  }
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
