// Text from files in messages: what printable() lets through and what it spells out.
#include "base/error.h"

#include <gtest/gtest.h>

#include <string>

namespace minfer {
namespace {

TEST(Printable, KeepsText) {
  EXPECT_EQ(printable("a b~"), "a b~");
  EXPECT_EQ(printable("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(Printable, SpellsOutControlsAndInvalidBytes) {
  EXPECT_EQ(printable("\x1B[31m\n\x7F"), "\\x1B[31m\\x0A\\x7F");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B");
  EXPECT_EQ(printable("\xFFz\xE2\x80"), "\\xFFz\\xE2\\x80");
}

TEST(Printable, SpellsOutControlsOfTextDirection) {
  EXPECT_EQ(printable("a\u200E\u200Fb"), "a\\xE2\\x80\\x8E\\xE2\\x80\\x8Fb");
  EXPECT_EQ(printable("\u202A\u202B\u202C\u202D\u202E"),
            "\\xE2\\x80\\xAA\\xE2\\x80\\xAB\\xE2\\x80\\xAC\\xE2\\x80\\xAD\\xE2\\x80\\xAE");
  EXPECT_EQ(printable("\u2066\u2067\u2068\u2069"), "\\xE2\\x81\\xA6\\xE2\\x81\\xA7\\xE2\\x81\\xA8\\xE2\\x81\\xA9");
}

TEST(Printable, KeepsTheNeighboursOfThose) {
  // Joiners, dashes and the like, one code point outside each range.
  for (const std::string text : {"\u200D", "\u2010", "\u2029", "\u202F", "\u2065", "\u206A"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, CutsLongText) {
  EXPECT_EQ(printable("abcdef", 4), "abcd\xE2\x80\xA6");
  EXPECT_EQ(printable("abcd", 4), "abcd");
}

}  // namespace
}  // namespace minfer
