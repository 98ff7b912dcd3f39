// Methods of str: parts, joins and padding.
#include <algorithm>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/text_tools.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

const std::string& bytes_of(const Value& self) {
  return self.as_text()->bytes;
}

Value made_text(Interpreter& interpreter, const Value& self, std::string text) {
  return interpreter.text(std::move(text), self.as_text()->markup);
}

Value mapped(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name,
             std::string (*map)(std::string_view)) {
  const Arguments none(name, args, {});
  return made_text(interpreter, self, map(bytes_of(self)));
}

Value stripped(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view name, bool left,
               bool right) {
  const Arguments bound(name, args, {"chars"});
  const std::string_view text = bytes_of(self);
  const std::string_view kept =
      bound.given(0) ? strip_characters(text, bound.text(0), left, right) : strip_space(text, left, right);
  return made_text(interpreter, self, std::string(kept));
}

std::string fill_character(const Arguments& bound) {
  if (!bound.has(1)) return " ";
  if (unicode::length(bound.text(1)) != 1) fail_render("The fill character must be exactly one character long");
  return bound.text(1);
}

// Pieces of a split, given as views into the text.
Value pieces(Interpreter& interpreter, const Value& self, const std::vector<std::string_view>& parts) {
  List out;
  for (const std::string_view part : parts) {
    interpreter.made(sizeof(Value));
    out.push_back(made_text(interpreter, self, std::string(part)));
  }
  return Value::list(std::move(out));
}

// Words between runs of white space; what is left after `max` cuts keeps its white space on the far side.
std::vector<std::string_view> split_words(std::string_view text, int64_t max) {
  std::vector<std::string_view> out;
  text = strip_space(text, true, false);
  while (!text.empty()) {
    if (max >= 0 && static_cast<int64_t>(out.size()) == max) {
      out.push_back(text);
      return out;
    }
    size_t end = 0;
    for (size_t pos = 0; pos < text.size(); end = pos) {
      if (unicode::is_space(unicode::next(text, pos))) break;
    }
    out.push_back(text.substr(0, end));
    text = strip_space(text.substr(end), true, false);
  }
  return out;
}

std::vector<std::string_view> split_words_right(std::string_view text, int64_t max) {
  const std::vector<std::string_view> words = split_words(text, -1);
  if (max < 0 || static_cast<int64_t>(words.size()) <= max) return words;
  const size_t kept = words.size() - static_cast<size_t>(max);
  const char* end = words[kept - 1].data() + words[kept - 1].size();
  std::vector<std::string_view> out = {text.substr(0, static_cast<size_t>(end - text.data()))};
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end());
  return out;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator, int64_t max) {
  std::vector<std::string_view> out;
  while (max < 0 || static_cast<int64_t>(out.size()) < max) {
    const size_t found = text.find(separator);
    if (found == text.npos) break;
    out.push_back(text.substr(0, found));
    text.remove_prefix(found + separator.size());
  }
  out.push_back(text);
  return out;
}

std::vector<std::string_view> split_at_right(std::string_view text, std::string_view separator, int64_t max) {
  std::vector<std::string_view> out;
  while (max < 0 || static_cast<int64_t>(out.size()) < max) {
    const size_t found = text.rfind(separator);
    if (found == text.npos) break;
    out.push_back(text.substr(found + separator.size()));
    text = text.substr(0, found);
  }
  out.push_back(text);
  std::reverse(out.begin(), out.end());
  return out;
}

Value split(Interpreter& interpreter, const Value& self, CallArgs& args, bool from_right) {
  const Arguments bound(from_right ? "rsplit" : "split", args, {"sep", "maxsplit"});
  const std::string_view text = bytes_of(self);
  const int64_t max = bound.integer(1, -1);
  interpreter.walk(self);
  if (!bound.given(0))
    return pieces(interpreter, self, from_right ? split_words_right(text, max) : split_words(text, max));
  const std::string& separator = bound.text(0);
  if (separator.empty()) fail_render("empty separator");
  return pieces(interpreter, self, from_right ? split_at_right(text, separator, max) : split_at(text, separator, max));
}

Value partition(Interpreter& interpreter, const Value& self, CallArgs& args, bool from_right) {
  const Arguments bound(from_right ? "rpartition" : "partition", args, {"sep"}, 1);
  const std::string& text = bytes_of(self);
  const std::string& separator = bound.text(0);
  if (separator.empty()) fail_render("empty separator");
  const size_t found = from_right ? text.rfind(separator) : text.find(separator);
  const auto piece = [&](std::string part) { return made_text(interpreter, self, std::move(part)); };
  if (found == text.npos) {
    return from_right ? Value::tuple({piece(""), piece(""), self}) : Value::tuple({self, piece(""), piece("")});
  }
  return Value::tuple({piece(text.substr(0, found)), piece(separator), piece(text.substr(found + separator.size()))});
}

}  // namespace

Value text_capitalize(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return mapped(interpreter, self, args, "capitalize", unicode::capitalize);
}

// Case folding differs from lower() for a few letters; they are refused rather than approximated.
Value text_casefold(Interpreter& interpreter, const Value& self, CallArgs& args) {
  if (!unicode::is_ascii(bytes_of(self))) fail_unsupported("casefold() of text beyond ASCII");
  return mapped(interpreter, self, args, "casefold", unicode::lower);
}

Value text_lower(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return mapped(interpreter, self, args, "lower", unicode::lower);
}

Value text_swapcase(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return mapped(interpreter, self, args, "swapcase", unicode::swap_case);
}

Value text_title(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return mapped(interpreter, self, args, "title", unicode::title);
}

Value text_upper(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return mapped(interpreter, self, args, "upper", unicode::upper);
}

Value text_strip(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return stripped(interpreter, self, args, "strip", true, true);
}

Value text_lstrip(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return stripped(interpreter, self, args, "lstrip", true, false);
}

Value text_rstrip(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return stripped(interpreter, self, args, "rstrip", false, true);
}

Value text_split(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return split(interpreter, self, args, false);
}

Value text_rsplit(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return split(interpreter, self, args, true);
}

Value text_splitlines(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("splitlines", args, {"keepends"});
  return pieces(interpreter, self, split_lines(bytes_of(self), bound.flag(0, false)));
}

Value text_partition(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return partition(interpreter, self, args, false);
}

Value text_rpartition(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return partition(interpreter, self, args, true);
}

Value text_removeprefix(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("removeprefix", args, {"prefix"}, 1);
  const std::string& text = bytes_of(self);
  return text.starts_with(bound.text(0)) ? made_text(interpreter, self, text.substr(bound.text(0).size())) : self;
}

Value text_removesuffix(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("removesuffix", args, {"suffix"}, 1);
  const std::string& text = bytes_of(self);
  if (!text.ends_with(bound.text(0))) return self;
  return made_text(interpreter, self, text.substr(0, text.size() - bound.text(0).size()));
}

Value text_replace(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("replace", args, {"old", "new", "count"}, 2);
  const int64_t count = bound.integer(2, -1);
  if (!self.as_text()->markup) return replace_text(interpreter, bytes_of(self), bound.text(0), bound.text(1), count);
  const Value out = replace_text(interpreter, bytes_of(self), bound.text(0), escaped(bound.get(1)), count);
  return interpreter.text(out.as_text()->bytes, true);
}

Value text_join(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("join", args, {"iterable"}, 1);
  const bool markup = self.as_text()->markup;
  std::string out;
  int64_t count = 0;
  Cursor cursor(bound.get(0));
  Value item;
  for (; cursor.next(item); ++count) {
    if (!item.as_text() && !markup) {
      fail_render("sequence item {}: expected str instance, {} found", count, type_name(item));
    }
    if (count > 0) out += bytes_of(self);
    out += markup ? escaped(item) : bytes_of(item);
    interpreter.made((item.as_text() ? bytes_of(item).size() : 0) + bytes_of(self).size());
  }
  return made_text(interpreter, self, std::move(out));
}

Value text_center(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("center", args, {"width", "fillchar"}, 1);
  return made_text(interpreter, self, centered(bytes_of(self), bound.width(0, 0), fill_character(bound)));
}

Value text_ljust(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("ljust", args, {"width", "fillchar"}, 1);
  return made_text(interpreter, self, padded(bytes_of(self), bound.width(0, 0), fill_character(bound), true));
}

Value text_rjust(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("rjust", args, {"width", "fillchar"}, 1);
  return made_text(interpreter, self, padded(bytes_of(self), bound.width(0, 0), fill_character(bound), false));
}

Value text_zfill(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("zfill", args, {"width"}, 1);
  const std::string& text = bytes_of(self);
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string digits = padded(text.substr(sign ? 1 : 0), bound.width(0, 0) - (sign ? 1 : 0), "0", false);
  return made_text(interpreter, self, (sign ? text.substr(0, 1) : "") + digits);
}

Value text_format(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return brace_format(interpreter, self, args);
}

}  // namespace minfer::jinja
