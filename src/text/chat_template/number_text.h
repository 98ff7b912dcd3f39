// Numbers written as text, as Python's int() and float() read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace minfer::jinja {

// White space around, a sign, underscores between digits; base 0, or 2 to 36, with its prefix. Empty when it is no
// integer.
std::optional<int64_t> parse_integer(std::string_view text, int64_t base);
std::optional<double> parse_real(std::string_view text);

}  // namespace minfer::jinja
