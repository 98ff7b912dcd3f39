// Walking through bytes that should be UTF-8: whole characters, incomplete ends and invalid parts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace minfer {

enum class Utf8Kind {
  kCharacter,   // a whole well-formed character
  kIncomplete,  // the text ends inside a character that is well-formed so far
  kInvalid,     // bytes that no character starts with
};

struct Utf8Step {
  Utf8Kind kind;
  size_t length;  // bytes; at least 1
};

// What stands at the start of `text` (not empty). An invalid step is the longest start of a character that was broken
// off, or one byte (the "maximal subpart" of the Unicode Standard, section 3.9, table 3-7): what U+FFFD replaces.
Utf8Step utf8_step(std::string_view text);

// Bytes at the start of `text` that are whole characters.
size_t utf8_prefix(std::string_view text);

// Turns a stream of bytes into well-formed UTF-8: a character is handed out as soon as its last byte is there, never
// before and never later. An invalid part becomes U+FFFD. Copies continue on their own.
class Utf8Stream {
 public:
  // The characters that `bytes` completes.
  std::string push(std::string_view bytes);

  // The end of the stream: U+FFFD if it ends inside a character, else nothing. The stream can then be used anew.
  std::string finish();

 private:
  std::string held_;  // an incomplete character, at most 3 bytes
};

}  // namespace minfer
