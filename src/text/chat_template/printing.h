// Python's str() and repr() of values.
#pragma once

#include <string>
#include <string_view>

#include "text/chat_template/value.h"

namespace minfer::jinja {

// str(value), as {{ value }} prints it. Fails when the text would pass `max_bytes`.
std::string to_text(const Value& value, size_t max_bytes = size_t{1} << 26);
std::string repr(const Value& value, size_t max_bytes = size_t{1} << 26);

// Shortest decimal that gives the number back, in Python's layout: 1.0, 1e-05, 1e+16, inf, nan.
std::string float_text(double value);

// repr of a str: single quotes unless it holds one and no double quote.
void append_quoted(std::string& out, std::string_view text);

}  // namespace minfer::jinja
