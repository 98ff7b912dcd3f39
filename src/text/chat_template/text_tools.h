// Python's algorithms on text that both filters and str methods use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/chat_template/value.h"

namespace minfer::jinja {

std::string_view strip_space(std::string_view text, bool left, bool right);
// `characters` is a set.
std::string_view strip_characters(std::string_view text, std::string_view characters, bool left, bool right);

// str.splitlines: views into `text`, with their line ends if asked for.
std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends);

// str.replace; count < 0: all of them. Charged before it is made.
Value replace_text(Interpreter& interpreter, std::string_view text, std::string_view from, std::string_view to,
                   int64_t count);

// str.center, ljust and rjust to `width` characters with `fill`, which is one character.
std::string centered(std::string_view text, int64_t width, std::string_view fill);
std::string padded(std::string_view text, int64_t width, std::string_view fill, bool text_first);

}  // namespace minfer::jinja
