// text.format(…): fields by number or name with attributes and indexes, conversions and format specifications.
#include <charconv>

#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

std::optional<int64_t> digits(std::string_view text) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || n < 0) return std::nullopt;
  return n;
}

// [[fill]align][sign][#][0][width][grouping][.precision][type]
class SpecParser {
 public:
  explicit SpecParser(std::string_view text) : text_(text) {}

  FormatSpec run() {
    fill_and_align();
    if (is_one_of("+- ")) spec_.sign = next();
    if (is_one_of("#")) spec_.alternate = next() == '#';
    if (is_one_of("0")) {
      next();
      if (spec_.align == '\0') {
        spec_.fill = "0";
        spec_.align = '=';
      }
    }
    spec_.width = number().value_or(0);
    if (is_one_of(",_")) spec_.grouping = next();
    if (is_one_of(".")) {
      next();
      const auto precision = number();
      if (!precision) fail_render("Format specifier missing precision");
      spec_.precision = *precision;
    }
    if (!text_.empty()) spec_.type = next();
    if (!text_.empty()) fail_render("Invalid format specifier");
    return spec_;
  }

 private:
  bool is_one_of(std::string_view set) const { return !text_.empty() && set.find(text_[0]) != set.npos; }
  char next() {
    const char c = text_[0];
    text_.remove_prefix(1);
    return c;
  }

  void fill_and_align() {
    if (text_.empty()) return;
    size_t fill = 0;
    unicode::next(text_, fill);
    const std::string_view behind = text_.substr(fill);
    if (!behind.empty() && std::string_view("<>=^").find(behind[0]) != std::string_view::npos) {
      spec_.fill = std::string(text_.substr(0, fill));
      spec_.align = behind[0];
      text_ = behind.substr(1);
    } else if (is_one_of("<>=^")) {
      spec_.align = next();
    }
  }

  std::optional<int64_t> number() {
    size_t n = 0;
    while (n < text_.size() && text_[n] >= '0' && text_[n] <= '9') ++n;
    if (n == 0) return std::nullopt;
    const auto value = digits(text_.substr(0, n));
    if (!value || *value > kMaxWidth) fail_render("a width of {} is more than {}", text_.substr(0, n), kMaxWidth);
    text_.remove_prefix(n);
    return value;
  }

  std::string_view text_;
  FormatSpec spec_;
};

std::string format_value(Interpreter& interpreter, const Value& value, std::string_view spec_text) {
  if (spec_text.empty()) return interpreter.string_of(value);
  const FormatSpec spec = SpecParser(spec_text).run();
  const auto refuse = [&] {
    fail_render("Unknown format code '{}' for object of type '{}'", spec.type, type_name(value));
  };
  if (const TextData* text = value.as_text()) {
    if (spec.type != '\0' && spec.type != 's') refuse();
    return format_text(text->bytes, spec);
  }
  const bool is_real_type = std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos && spec.type != '\0';
  if (const auto i = whole(value); i && !is_real_type) {
    if (std::string_view("bdoxXn").find(spec.type) == std::string_view::npos && spec.type != '\0') refuse();
    if (spec.precision >= 0) fail_render("Precision not allowed in integer format specifier");
    return format_whole(*i, spec);
  }
  if (const auto d = number(value)) {
    if (!is_real_type && spec.type != '\0') refuse();
    return format_real(*d, spec);
  }
  fail_render("unsupported format string passed to {}.__format__", type_name(value));
}

class BraceFormatter {
 public:
  BraceFormatter(Interpreter& interpreter, std::string_view format, bool markup, const CallArgs& arguments)
      : interpreter_(interpreter), arguments_(arguments), format_(format), markup_(markup) {}

  std::string run() { return section(format_, 2); }

 private:
  // Text with fields; `nesting` fields may stand inside of each other.
  std::string section(std::string_view text, int nesting) {
    if (nesting == 0) fail_render("Max string recursion exceeded");
    std::string out;
    for (size_t pos = 0; pos < text.size();) {
      const char c = text[pos];
      const bool doubled = pos + 1 < text.size() && text[pos + 1] == c;
      if (c != '{' && c != '}') {
        out += c;
        ++pos;
      } else if (doubled) {
        out += c;
        pos += 2;
      } else if (c == '}') {
        fail_render("Single '}}' encountered in format string");
      } else {
        const size_t end = field_end(text, pos + 1);
        const std::string formatted = field(text.substr(pos + 1, end - pos - 1), nesting);
        interpreter_.made(formatted.size());
        out += formatted;
        pos = end + 1;
      }
    }
    return out;
  }

  static size_t field_end(std::string_view text, size_t pos) {
    int open = 1;
    for (; pos < text.size(); ++pos) {
      if (text[pos] == '{') ++open;
      if (text[pos] == '}' && --open == 0) return pos;
    }
    fail_render("expected '}}' before end of string");
  }

  std::string field(std::string_view text, int nesting) {
    const size_t name_end = std::min(text.find_first_of("!:"), text.size());
    Value value = lookup(text.substr(0, name_end));
    std::string_view rest = text.substr(name_end);
    if (!rest.empty() && rest[0] == '!') {
      if (rest.size() < 2 || (rest.size() > 2 && rest[2] != ':'))
        fail_render("expected ':' after conversion specifier");
      value = converted(value, rest[1]);
      rest.remove_prefix(2);
    }
    const std::string spec = rest.empty() ? "" : section(rest.substr(1), nesting - 1);
    const std::string formatted = format_value(interpreter_, value, spec);
    const bool safe = !markup_ || (value.as_text() && value.as_text()->markup);
    return safe ? formatted : escaped_text(formatted);
  }

  Value converted(const Value& value, char conversion) {
    if (conversion == 's') return interpreter_.text(interpreter_.string_of(value));
    if (conversion == 'r' || conversion == 'a') return interpreter_.text(repr(value));
    fail_render("Unknown conversion specifier {}", conversion);
  }

  Value first(std::string_view name) {
    auto index = digits(name);
    if (name.empty()) index = next_index_++;
    if (index) {
      if (static_cast<size_t>(*index) >= arguments_.positional.size()) {
        fail_render("Replacement index {} out of range for positional args tuple", *index);
      }
      return arguments_.positional[static_cast<size_t>(*index)];
    }
    for (const auto& [key, value] : arguments_.named) {
      if (key == name) return value;
    }
    fail_render("'{}'", name);
  }

  // name.attribute[index]…
  Value lookup(std::string_view path) {
    const size_t name_end = std::min(path.find_first_of(".["), path.size());
    Value value = first(path.substr(0, name_end));
    path.remove_prefix(name_end);
    while (!path.empty()) {
      const bool is_attribute = path[0] == '.';
      const size_t end = is_attribute ? std::min(path.find_first_of(".[", 1), path.size()) : path.find(']');
      if (end == path.npos) fail_render("Missing ']' in format string");
      const std::string_view key = path.substr(1, end - 1);
      if (key.empty()) fail_render("Empty attribute in format string");
      const auto index = digits(key);
      value = is_attribute
                  ? attribute(value, key)
                  : subscript(interpreter_, value, index ? Value::integer(*index) : Value::text(std::string(key)));
      path.remove_prefix(is_attribute ? end : end + 1);
    }
    return value;
  }

  Interpreter& interpreter_;
  const CallArgs& arguments_;
  std::string_view format_;
  bool markup_;  // what is put in is escaped
  int64_t next_index_ = 0;
};

}  // namespace

Value brace_format(Interpreter& interpreter, const Value& format, CallArgs& arguments) {
  const bool markup = format.as_text()->markup;
  return interpreter.text(BraceFormatter(interpreter, format.as_text()->bytes, markup, arguments).run(), markup);
}

}  // namespace minfer::jinja
