// text % arguments.
#include <cmath>

#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

class PercentFormatter {
 public:
  PercentFormatter(Interpreter& interpreter, const Value& format, const Value& arguments)
      : interpreter_(interpreter),
        format_(format.as_text()->bytes),
        markup_(format.as_text()->markup),
        arguments_(arguments) {}

  std::string run() {
    while (pos_ < format_.size()) {
      const size_t percent = std::min(format_.find('%', pos_), format_.size());
      out_.append(format_.substr(pos_, percent - pos_));
      pos_ = percent + 1;
      if (percent < format_.size()) conversion();
    }
    check_all_used();
    return std::move(out_);
  }

 private:
  char peek() const {
    if (pos_ >= format_.size()) fail_render("incomplete format");
    return format_[pos_];
  }

  const Value& take() {
    if (keyed_) return *keyed_;
    const List* items = arguments_.as_tuple();
    const size_t n = items ? items->size() : 1;
    if (used_ >= n) fail_render("not enough arguments for format string");
    return items ? (*items)[used_++] : (++used_, arguments_);
  }

  // Python forgives what looks like a mapping to it.
  static bool has_subscripts(const Value& value) {
    return value.as_dict() || value.as_list() || value.as_range() || value.is_undefined();
  }

  void check_all_used() const {
    const List* items = arguments_.as_tuple();
    const bool left = items ? used_ < items->size() : used_ == 0 && !has_subscripts(arguments_);
    if (left) fail_render("not all arguments converted during string formatting");
  }

  void key() {
    keyed_ = nullptr;
    if (peek() != '(') return;
    const size_t end = format_.find(')', pos_);
    if (end == format_.npos) fail_render("incomplete format key");
    const DictData* dict = arguments_.as_dict();
    if (!dict) fail_render("format requires a mapping");
    const std::string_view name = format_.substr(pos_ + 1, end - pos_ - 1);
    keyed_ = dict->find(name);
    if (!keyed_) fail_render("'{}'", name);
    pos_ = end + 1;
  }

  void flags(FormatSpec& spec) {
    for (;; ++pos_) {
      switch (peek()) {
        case '-': spec.align = '<'; break;
        case '0':
          spec.fill = "0";
          if (spec.align == '\0') spec.align = '=';
          break;
        case '+': spec.sign = '+'; break;
        case ' ':
          if (spec.sign == '-') spec.sign = ' ';
          break;
        case '#': spec.alternate = true; break;
        default:
          if (spec.align == '<') spec.fill = " ";
          return;
      }
    }
  }

  // A width or precision: digits, or * for the next argument.
  int64_t size() {
    if (peek() == '*') {
      ++pos_;
      const auto n = whole(take());
      if (!n) fail_render("* wants int");
      if (std::abs(*n) > kMaxWidth) fail_render("a width of {} is more than {}", *n, kMaxWidth);
      return *n;
    }
    int64_t n = 0;
    for (; peek() >= '0' && peek() <= '9'; ++pos_) {
      n = n * 10 + (peek() - '0');
      if (n > kMaxWidth) fail_render("a width of {} is more than {}", n, kMaxWidth);
    }
    return n;
  }

  void conversion() {
    FormatSpec spec;
    key();
    flags(spec);
    spec.width = size();
    if (spec.width < 0) {
      spec.align = '<';
      spec.fill = " ";
      spec.width = -spec.width;
    }
    if (peek() == '.') {
      ++pos_;
      spec.precision = std::max<int64_t>(size(), 0);
    }
    while (peek() == 'l' || peek() == 'h' || peek() == 'L') ++pos_;
    spec.type = peek();
    ++pos_;
    if (spec.type == '%') {
      out_ += '%';
      return;
    }
    const std::string text = converted(spec);
    interpreter_.made(text.size());
    out_ += text;
  }

  std::string converted(FormatSpec& spec) {
    switch (spec.type) {
      case 's': return text(spec, markup_ ? escaped(take()) : interpreter_.string_of(take()));
      case 'r':
      case 'a': return text(spec, repr(take()));
      case 'c': return character(spec);
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': return whole_number(spec);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return real_number(spec);
      default: fail_render("unsupported format character '{}' (0x{:x}) at index {}", spec.type, spec.type, pos_ - 1);
    }
  }

  std::string text(FormatSpec& spec, const std::string& value) {
    spec.fill = " ";
    if (spec.align != '<') spec.align = '>';
    return format_text(value, spec);
  }

  std::string character(FormatSpec& spec) {
    const Value& value = take();
    if (const auto code = whole(value)) {
      if (*code < 0 || *code > 0x10FFFF) fail_render("%c arg not in range(0x110000)");
      std::string out;
      unicode::append(out, static_cast<char32_t>(*code));
      return text(spec, out);
    }
    if (!value.as_text() || unicode::length(value.as_text()->bytes) != 1) fail_render("%c requires int or char");
    return text(spec, value.as_text()->bytes);
  }

  std::string whole_number(FormatSpec& spec) {
    const Value& value = take();
    require_defined(value);
    if (const auto n = whole(value)) return format_whole(*n, spec);
    const double* real = value.as_real();
    if (!real || spec.type == 'x' || spec.type == 'X' || spec.type == 'o') {
      fail_render("%{} format: a{} number is required, not {}", spec.type, real ? "n integer" : " real",
                  type_name(value));
    }
    if (!(std::abs(*real) < 9223372036854775808.0)) fail_render("an integer does not fit in 64 bits");
    return format_whole(static_cast<int64_t>(*real), spec);
  }

  std::string real_number(const FormatSpec& spec) {
    const Value& value = take();
    require_defined(value);
    const auto n = number(value);
    if (!n) fail_render("must be real number, not {}", type_name(value));
    return format_real(*n, spec);
  }

  Interpreter& interpreter_;
  std::string_view format_;
  bool markup_;
  const Value& arguments_;
  std::string out_;
  size_t pos_ = 0;
  size_t used_ = 0;
  const Value* keyed_ = nullptr;
};

}  // namespace

Value percent_format(Interpreter& interpreter, const Value& format, const Value& arguments) {
  return interpreter.text(PercentFormatter(interpreter, format, arguments).run(), format.as_text()->markup);
}

}  // namespace minfer::jinja
