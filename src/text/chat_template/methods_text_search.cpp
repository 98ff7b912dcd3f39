// Methods of str that look for something: find, count, startswith, the is… family. Positions count characters.
#include <algorithm>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

// The part of a text between the optional start and end arguments at `first` and `first + 1`.
struct Window {
  std::string_view text;
  int64_t start;  // in characters
  bool valid;     // false when start is behind the end
};

size_t byte_offset(std::string_view text, int64_t characters) {
  if (unicode::is_ascii(text)) return static_cast<size_t>(characters);
  size_t pos = 0;
  for (int64_t i = 0; i < characters; ++i) unicode::next(text, pos);
  return pos;
}

Window window(Interpreter& interpreter, const Value& self, const Arguments& bound, size_t first) {
  const std::string_view text = self.as_text()->bytes;
  interpreter.walk(self);
  if (!bound.given(first) && !bound.given(first + 1)) return {text, 0, true};
  const auto n = static_cast<int64_t>(unicode::length(text));
  const auto position = [&](size_t i, int64_t fallback) {
    const int64_t p = bound.given(i) ? bound.integer(i, fallback) : fallback;
    return p < 0 ? std::max<int64_t>(p + n, 0) : p;
  };
  const int64_t start = position(first, 0);
  const int64_t end = std::min(position(first + 1, n), n);
  if (start > end) return {"", start, false};
  const size_t begin = byte_offset(text, start);
  return {text.substr(begin, byte_offset(text, end) - begin), start, true};
}

// Position of the argument in the text, or -1.
int64_t find(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool from_right) {
  const Arguments bound(name, args, {"sub", "start", "end"}, 1);
  const Window part = window(interpreter, self, bound, 1);
  if (!part.valid) return -1;
  const size_t found = from_right ? part.text.rfind(bound.text(0)) : part.text.find(bound.text(0));
  if (found == part.text.npos) return -1;
  return part.start + static_cast<int64_t>(unicode::length(part.text.substr(0, found)));
}

Value index(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool from_right) {
  const int64_t found = find(interpreter, self, args, name, from_right);
  if (found < 0) fail_render("substring not found");
  return Value::integer(found);
}

Value matches_end(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool at_start) {
  const Arguments bound(name, args, {"affix", "start", "end"}, 1);
  const Window part = window(interpreter, self, bound, 1);
  const auto matches = [&](const Value& affix) {
    const TextData* text = affix.as_text();
    if (!text) fail_render("{} first arg must be str or a tuple of str, not {}", name, type_name(affix));
    return part.valid && (at_start ? part.text.starts_with(text->bytes) : part.text.ends_with(text->bytes));
  };
  if (const List* any = bound.get(0).as_tuple()) return Value::boolean(std::any_of(any->begin(), any->end(), matches));
  return Value::boolean(matches(bound.get(0)));
}

template <typename Predicate>
Value all_are(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool if_empty,
              const Predicate& predicate) {
  const Arguments none(name, args, {});
  interpreter.walk(self);
  const std::u32string text = unicode::decode(self.as_text()->bytes);
  return Value::boolean(text.empty() ? if_empty : std::all_of(text.begin(), text.end(), predicate));
}

Value is_cased(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool upper) {
  const Arguments none(name, args, {});
  interpreter.walk(self);
  bool any = false;
  for (const char32_t c : unicode::decode(self.as_text()->bytes)) {
    if (unicode::is_title(c) || (upper ? unicode::is_lower(c) : unicode::is_upper(c))) return Value::boolean(false);
    any = any || (upper ? unicode::is_upper(c) : unicode::is_lower(c));
  }
  return Value::boolean(any);
}

}  // namespace

Value text_find(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return Value::integer(find(interpreter, self, args, "find", false));
}

Value text_rfind(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return Value::integer(find(interpreter, self, args, "rfind", true));
}

Value text_index(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return index(interpreter, self, args, "index", false);
}

Value text_rindex(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return index(interpreter, self, args, "rindex", true);
}

Value text_count(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("count", args, {"sub", "start", "end"}, 1);
  const Window part = window(interpreter, self, bound, 1);
  const std::string& sub = bound.text(0);
  if (!part.valid) return Value::integer(0);
  if (sub.empty()) return Value::integer(static_cast<int64_t>(unicode::length(part.text)) + 1);
  int64_t n = 0;
  for (size_t pos = part.text.find(sub); pos != part.text.npos; pos = part.text.find(sub, pos + sub.size())) ++n;
  return Value::integer(n);
}

Value text_startswith(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return matches_end(interpreter, self, args, "startswith", true);
}

Value text_endswith(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return matches_end(interpreter, self, args, "endswith", false);
}

Value text_isalnum(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isalnum", false,
                 [](char32_t c) { return unicode::is_alpha(c) || unicode::is_numeric(c); });
}

Value text_isalpha(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isalpha", false, unicode::is_alpha);
}

Value text_isascii(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isascii", true, [](char32_t c) { return c < 0x80; });
}

Value text_isdecimal(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isdecimal", false, unicode::is_decimal);
}

Value text_isdigit(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isdigit", false, unicode::is_digit);
}

Value text_isnumeric(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isnumeric", false, unicode::is_numeric);
}

Value text_isprintable(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isprintable", true, unicode::is_printable);
}

Value text_isspace(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return all_are(interpreter, self, args, "isspace", false, unicode::is_space);
}

Value text_islower(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return is_cased(interpreter, self, args, "islower", false);
}

Value text_isupper(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return is_cased(interpreter, self, args, "isupper", true);
}

// Upper case only at the start of words, lower case only inside of them, and at least one word.
Value text_istitle(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments none("istitle", args, {});
  interpreter.walk(self);
  bool in_word = false;
  bool any = false;
  for (const char32_t c : unicode::decode(self.as_text()->bytes)) {
    const bool starts = unicode::is_upper(c) || unicode::is_title(c);
    const bool goes_on = unicode::is_lower(c);
    if ((starts && in_word) || (goes_on && !in_word)) return Value::boolean(false);
    in_word = starts || goes_on;
    any = any || in_word;
  }
  return Value::boolean(any);
}

}  // namespace minfer::jinja
