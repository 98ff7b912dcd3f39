// Text as Python sees it: sequences of code points, with Python's classes and case mappings. Bytes that are not UTF-8
// pass through unharmed: each stands for itself (as U+DC80 to U+DCFF, like Python's surrogateescape).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace minfer::jinja::unicode {

// The code point at `pos`, which moves behind it.
char32_t next(std::string_view text, size_t& pos);
void append(std::string& out, char32_t c);

std::u32string decode(std::string_view text);
std::string encode(std::u32string_view text);
size_t length(std::string_view text);  // in code points
bool is_ascii(std::string_view text);

// str.isspace, isalpha, … of one character.
bool is_space(char32_t c);
bool is_alpha(char32_t c);
bool is_decimal(char32_t c);
bool is_digit(char32_t c);
bool is_numeric(char32_t c);
bool is_printable(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_title(char32_t c);
bool is_line_break(char32_t c);  // where str.splitlines cuts

// Full case mappings ("ß" becomes "SS"; a sigma at a word's end is "ς").
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string swap_case(std::string_view text);
std::string capitalize(std::string_view text);
std::string title(std::string_view text);

// Bytes of white space at either end.
size_t leading_space(std::string_view text);
size_t trailing_space(std::string_view text);

}  // namespace minfer::jinja::unicode
