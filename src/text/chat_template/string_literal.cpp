// Escapes in string literals, as Python's unicode-escape codec reads them.
#include <charconv>

#include "text/chat_template/failure.h"
#include "text/chat_template/lexer.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

class Unescaper {
 public:
  Unescaper(std::string_view literal, int line) : in_(literal), line_(line) {}

  std::string run() {
    while (pos_ < in_.size()) {
      if (in_[pos_] != '\\' || pos_ + 1 == in_.size()) {
        out_ += in_[pos_++];
      } else {
        ++pos_;
        escape(in_[pos_++]);
      }
    }
    return std::move(out_);
  }

 private:
  void escape(char kind) {
    constexpr std::string_view kFrom = "\\'\"abfnrtv";
    constexpr std::string_view kTo = "\\'\"\a\b\f\n\r\t\v";
    const size_t simple = kFrom.find(kind);
    if (simple != kFrom.npos) {
      out_ += kTo[simple];
    } else if (kind == '\n') {
      return;
    } else if (kind == 'x') {
      hex(2);
    } else if (kind == 'u') {
      hex(4);
    } else if (kind == 'U') {
      hex(8);
    } else if (kind >= '0' && kind <= '7') {
      octal();
    } else if (kind == 'N') {
      throw TemplateError(TemplateErrorKind::kUnsupported, "\\N{name} in a string", line_);
    } else {
      out_ += '\\';
      out_ += kind;
    }
  }

  void hex(size_t digits) {
    uint32_t code = 0;
    const std::string_view text = in_.substr(pos_, digits);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
    if (error != std::errc{} || text.size() != digits || end != text.data() + digits) {
      fail_syntax(line_, "a string holds a \\x, \\u or \\U without its {} hexadecimal digits", digits);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
      fail_syntax(line_, "a string holds an escape for U+{:04X}, which is not a character", code);
    }
    pos_ += digits;
    unicode::append(out_, static_cast<char32_t>(code));
  }

  void octal() {
    char32_t code = static_cast<char32_t>(in_[pos_ - 1] - '0');
    for (int i = 0; i < 2 && pos_ < in_.size() && in_[pos_] >= '0' && in_[pos_] <= '7'; ++i) {
      code = code * 8 + static_cast<char32_t>(in_[pos_++] - '0');
    }
    unicode::append(out_, code);
  }

  std::string_view in_;
  std::string out_;
  size_t pos_ = 0;
  int line_;
};

}  // namespace

std::string unescape(std::string_view literal, int line) {
  return Unescaper(literal, line).run();
}

}  // namespace minfer::jinja
