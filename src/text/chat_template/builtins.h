// Filters, tests, methods and global functions by name. The names stand in *_list.inc, one row each.
#pragma once

#include <string_view>

#include "text/chat_template/value.h"

namespace minfer::jinja {

using FilterFunction = Value (*)(Interpreter&, const Value& input, CallArgs&);
using TestFunction = bool (*)(Interpreter&, const Value& input, CallArgs&);

FilterFunction find_filter(std::string_view name);  // null when there is none
TestFunction find_test(std::string_view name);

// The function of a Python method of value's type: str, dict, list, tuple, range. Null when there is none.
FilterFunction find_method(const Value& value, std::string_view name);

// True for a method that Python has and this interpreter does not, or that the sandbox forbids.
bool is_unsupported_method(const Value& value, std::string_view name);
bool is_mutating_method(const Value& value, std::string_view name);

// The global function or value of that name; None's Value when `found` is false.
Value find_global(std::string_view name, bool& found);

// Names of the str methods, for messages: "capitalize, casefold, …".
std::string text_method_names();

}  // namespace minfer::jinja
