#include <gtest/gtest.h>

#include "text/tokenizer/utf8.h"

namespace minfer {
namespace {

std::string stream_bytewise(std::string_view bytes) {
  Utf8Stream stream;
  std::string out;
  for (const char c : bytes) out += stream.push(std::string_view(&c, 1));
  return out + stream.finish();
}

// Examples of the Unicode Standard, tables 3-8 to 3-11, and the ends of each range.
TEST(Utf8Stream, ReplacesMaximalSubparts) {
  EXPECT_EQ(stream_bytewise("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
                            "A"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(stream_bytewise("\xED\xA0\x80\xED\xBF\xBF\xED\xAF"
                            "A"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(stream_bytewise("\xF4\x91\x92\x93\xFF"
                            "A\x80\xBF"
                            "B"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
            "A\uFFFD\uFFFD"
            "B");
  EXPECT_EQ(stream_bytewise("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
                            "A"),
            "\uFFFD\uFFFD\uFFFD\uFFFDA");
}

TEST(Utf8Stream, KeepsTheBoundariesOfEveryLength) {
  for (const char* text :
       {"\x7F", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF"}) {
    EXPECT_EQ(stream_bytewise(text), text);
  }
}

TEST(Utf8Stream, GivesACharacterWithItsLastByte) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("x\xF0\x9F"), "x");
  EXPECT_EQ(stream.push("\x99"), "");
  EXPECT_EQ(stream.push("\x82"
                        "y\xC3"),
            "🙂y");
  EXPECT_EQ(stream.push("z"), "\uFFFDz") << "a broken character is known as soon as the next byte comes";
  EXPECT_EQ(stream.finish(), "");
}

}  // namespace
}  // namespace minfer
