// Filters on text. Each takes its input as str() prints it and keeps the markup flag, as jinja2's soft_str does.
#include <algorithm>
#include <array>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/text_tools.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

bool is_markup(const Value& value) {
  return value.as_text() && value.as_text()->markup;
}

// Text filters without arguments.
Value mapped(Interpreter& interpreter, const Value& input, CallArgs& args, std::string_view name,
             std::string (*map)(std::string_view)) {
  const Arguments none(name, args, {});
  return interpreter.text(map(interpreter.string_of(input)), is_markup(input));
}

// Words capitalized at their first letter; words end at white space and at - ( { [ <.
std::string jinja_title(std::string_view text) {
  const auto separates = [](char32_t c) {
    return unicode::is_space(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
  };
  std::string out;
  for (size_t pos = 0; pos < text.size();) {
    const size_t begin = pos;
    const bool separator = separates(unicode::next(text, pos));
    const size_t after_first = pos;
    while (pos < text.size()) {
      size_t probe = pos;
      if (separates(unicode::next(text, probe)) != separator) break;
      pos = probe;
    }
    out += unicode::upper(text.substr(begin, after_first - begin));
    out += unicode::lower(text.substr(after_first, pos - after_first));
  }
  return out;
}

std::string indentation(const Arguments& args) {
  if (args.has(0) && args.get(0).as_text()) return args.get(0).as_text()->bytes;
  return std::string(static_cast<size_t>(std::max<int64_t>(args.width(0, 4), 0)), ' ');
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '~';
}

std::string url_quoted(std::string_view text, bool in_query) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c) || (c == '/' && !in_query)) {
      out += c;
    } else if (c == ' ' && in_query) {
      out += '+';
    } else {
      out += fmt::format("%{:02X}", static_cast<uint8_t>(c));
    }
  }
  return out;
}

}  // namespace

Value filter_capitalize(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return mapped(interpreter, input, args, "capitalize", unicode::capitalize);
}

Value filter_lower(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return mapped(interpreter, input, args, "lower", unicode::lower);
}

Value filter_upper(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return mapped(interpreter, input, args, "upper", unicode::upper);
}

Value filter_title(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("title", args, {});
  return interpreter.text(jinja_title(interpreter.string_of(input)));
}

Value filter_string(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("string", args, {});
  return input.as_text() ? input : interpreter.text(interpreter.string_of(input));
}

Value filter_safe(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("safe", args, {});
  return interpreter.text(interpreter.string_of(input), true);
}

Value filter_escape(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("escape", args, {});
  return interpreter.text(escaped(input), true);
}

Value filter_forceescape(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("forceescape", args, {});
  return interpreter.text(escaped_text(interpreter.string_of(input)), true);
}

Value filter_trim(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("trim", args, {"chars"});
  const std::string text = interpreter.string_of(input);
  const std::string_view kept =
      bound.given(0) ? strip_characters(text, bound.text(0), true, true) : strip_space(text, true, true);
  return interpreter.text(std::string(kept), is_markup(input));
}

Value filter_center(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("center", args, {"width"});
  return interpreter.text(centered(interpreter.string_of(input), bound.width(0, 80), " "), is_markup(input));
}

Value filter_replace(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("replace", args, {"old", "new", "count"}, 2);
  const std::string text = interpreter.string_of(input);
  const int64_t count = bound.given(2) ? bound.integer(2, -1) : -1;
  return replace_text(interpreter, text, interpreter.string_of(bound.get(0)), interpreter.string_of(bound.get(1)),
                      count);
}

Value filter_format(Interpreter& interpreter, const Value& input, CallArgs& args) {
  if (!args.positional.empty() && !args.named.empty()) {
    fail_render("can't handle positional and keyword arguments at the same time");
  }
  const Value format = interpreter.text(interpreter.string_of(input), is_markup(input));
  if (args.named.empty()) return percent_format(interpreter, format, Value::tuple(args.positional));
  std::vector<std::pair<Value, Value>> entries;
  for (auto& [name, value] : args.named) entries.emplace_back(Value::text(name), std::move(value));
  return percent_format(interpreter, format, Value::dict(std::move(entries)));
}

Value filter_indent(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("indent", args, {"width", "first", "blank"});
  require_defined(input);
  if (!input.as_text()) fail_render("indent: unsupported operand type(s) for +=: '{}' and 'str'", type_name(input));
  const std::string indent = indentation(bound);
  const bool blank = bound.flag(2, false);
  std::string out;
  bool first = true;
  const std::string text = input.as_text()->bytes + "\n";
  for (const std::string_view line : split_lines(text, false)) {
    if (!first) out += '\n';
    const bool indented = first ? bound.flag(1, false) : blank || !line.empty();
    if (indented) out += indent;
    interpreter.made(line.size() + indent.size());
    out.append(line);
    first = false;
  }
  return interpreter.text(std::move(out), is_markup(input));
}

Value filter_truncate(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("truncate", args, {"length", "killwords", "end", "leeway"});
  const int64_t length = bound.integer(0, 255);
  const std::u32string end = unicode::decode(bound.has(2) ? bound.text(2) : "...");
  const int64_t leeway = bound.given(3) ? bound.integer(3, 5) : 5;
  const auto end_length = static_cast<int64_t>(end.size());
  if (length < end_length) fail_render("expected length >= {}, got {}", end_length, length);
  if (leeway < 0) fail_render("expected leeway >= 0, got {}", leeway);
  if (length_of(input) - leeway <= length) return input;
  if (!input.as_text()) fail_unsupported("truncate of a {}", type_name(input));
  const std::u32string text = unicode::decode(input.as_text()->bytes);
  std::u32string kept = text.substr(0, static_cast<size_t>(length - end_length));
  if (!bound.flag(1, false)) kept = kept.substr(0, kept.rfind(U' '));
  return interpreter.text(unicode::encode(kept + end));
}

Value filter_wordcount(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("wordcount", args, {});
  int64_t words = 0;
  bool in_word = false;
  for (const char32_t c : unicode::decode(interpreter.string_of(input))) {
    const bool is_word = unicode::is_alpha(c) || unicode::is_numeric(c) || c == '_';
    if (is_word && !in_word) ++words;
    in_word = is_word;
  }
  return Value::integer(words);
}

Value filter_urlencode(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("urlencode", args, {});
  const DictData* dict = input.as_dict();
  if (!dict && !input.as_list_or_tuple()) return interpreter.text(url_quoted(interpreter.string_of(input), false));
  if (!dict) fail_unsupported("urlencode of a list of pairs");
  std::string out;
  for (const auto& [key, value] : dict->entries) {
    if (!out.empty()) out += '&';
    out += url_quoted(interpreter.string_of(key), true) + "=" + url_quoted(interpreter.string_of(value), true);
  }
  return interpreter.text(std::move(out));
}

}  // namespace minfer::jinja
