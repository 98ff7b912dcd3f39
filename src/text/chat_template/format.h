// Python's string formatting: `text % arguments`, text.format(…), and the number formats both share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/chat_template/value.h"

namespace minfer::jinja {

// `format` is a str. `arguments` is a tuple, a dict for %(name)s, or the only value.
Value percent_format(Interpreter& interpreter, const Value& format, const Value& arguments);

Value brace_format(Interpreter& interpreter, const Value& format, CallArgs& arguments);

// What stands between % or : and the type letter.
struct FormatSpec {
  std::string fill = " ";
  char align = '\0';  // < > ^ =, or 0 for the type's own
  char sign = '-';    // - + or space
  bool alternate = false;
  int64_t width = 0;
  int64_t precision = -1;
  char grouping = '\0';  // , or _
  char type = '\0';
};

// Each is padded to the width. Types: d b o x X for whole numbers, e E f F g G % for the others, s for text.
std::string format_whole(int64_t value, const FormatSpec& spec);
std::string format_real(double value, const FormatSpec& spec);
std::string format_text(std::string_view value, const FormatSpec& spec);

}  // namespace minfer::jinja
