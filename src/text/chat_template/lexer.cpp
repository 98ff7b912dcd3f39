#include "text/chat_template/lexer.h"

#include <algorithm>
#include <charconv>

#include "text/chat_template/failure.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

std::string with_unix_lines(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      out += source[i];
      continue;
    }
    out += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : owned_(with_unix_lines(source)), src_(owned_) {}

  Tokens run();

 private:
  char peek(size_t ahead = 0) const { return pos_ + ahead < src_.size() ? src_[pos_ + ahead] : '\0'; }
  bool at(std::string_view text) const { return src_.substr(pos_, text.size()) == text; }
  void add(TokenKind kind, std::string text = {}) { tokens_.push_back({kind, line_, std::move(text)}); }
  void advance(size_t bytes);
  void skip_space() { advance(unicode::leading_space(src_.substr(pos_))); }

  void data();
  void text_before_tag(size_t tag, char sign, bool may_lstrip);
  bool raw_block(size_t tag);
  void comment();
  bool tag_end(char closer);
  void tag(char closer);
  void token();
  void number();
  bool radix_number();
  void name();
  void string();
  void operation();
  void balance(std::string_view op);

  std::string owned_;
  std::string_view src_;
  size_t pos_ = 0;
  int line_ = 1;
  std::string open_brackets_;  // the closers that are still due
  std::vector<Token> tokens_;
};

void Lexer::advance(size_t bytes) {
  line_ += static_cast<int>(std::count(src_.begin() + static_cast<std::ptrdiff_t>(pos_),
                                       src_.begin() + static_cast<std::ptrdiff_t>(pos_ + bytes), '\n'));
  pos_ += bytes;
}

Tokens Lexer::run() {
  std::optional<TemplateError> failure;
  try {
    while (pos_ < src_.size()) data();
  } catch (const TemplateError& error) {
    failure = error;
  }
  if (!tokens_.empty()) line_ = tokens_.back().line;  // the end stands where the last token does
  add(TokenKind::kEnd);
  return {std::move(tokens_), std::move(failure)};
}

// Emits the text up to `tag`, stripped as the tag's sign and lstrip_blocks say.
void Lexer::text_before_tag(size_t tag, char sign, bool may_lstrip) {
  std::string_view text = src_.substr(pos_, tag - pos_);
  if (sign == '-') {
    text.remove_suffix(unicode::trailing_space(text));
  } else if (sign != '+' && may_lstrip) {
    const size_t newline = text.rfind('\n');
    const size_t line_start = newline == text.npos ? 0 : newline + 1;
    const bool starts_line = newline != text.npos || pos_ == 0 || src_[pos_ - 1] == '\n';
    const std::string_view indent = text.substr(line_start);
    if (starts_line && unicode::leading_space(indent) == indent.size()) text.remove_suffix(indent.size());
  }
  if (!text.empty()) add(TokenKind::kData, std::string(text));
  advance(tag - pos_);
}

// Text up to the next tag, then that tag.
void Lexer::data() {
  size_t tag_begin = pos_;
  do {
    tag_begin = src_.find('{', tag_begin);
    if (tag_begin == src_.npos || tag_begin + 1 >= src_.size()) {
      add(TokenKind::kData, std::string(src_.substr(pos_)));
      advance(src_.size() - pos_);
      return;
    }
  } while (std::string_view("%{#").find(src_[tag_begin + 1]) == std::string_view::npos && ++tag_begin);
  const char opener = src_[tag_begin + 1];
  const char sign = tag_begin + 2 < src_.size() ? src_[tag_begin + 2] : '\0';
  text_before_tag(tag_begin, sign, opener != '{');
  if (opener == '%' && raw_block(tag_begin)) return;
  if (opener == '{') add(TokenKind::kVariableBegin);
  if (opener == '%') add(TokenKind::kBlockBegin);
  advance(sign == '-' || sign == '+' ? 3 : 2);
  if (opener == '#') return comment();
  tag(opener == '{' ? '}' : '%');
}

void Lexer::comment() {
  const size_t end = src_.find("#}", pos_);
  if (end == src_.npos) fail_syntax(line_, "Missing end of comment tag");
  const char sign = end > pos_ ? src_[end - 1] : '\0';
  advance(end + 2 - pos_);
  if (sign == '-') {
    skip_space();
  } else if (sign != '+' && peek() == '\n') {
    advance(1);
  }
}

// {% raw %} … {% endraw %} at `tag`: its inside is text. False when another statement stands there.
bool Lexer::raw_block(size_t tag) {
  const auto keyword = [&](size_t begin, std::string_view word) -> size_t {  // end of `{%- word`, or 0
    size_t p = begin + 2;
    if (p < src_.size() && (src_[p] == '-' || src_[p] == '+')) ++p;
    p += unicode::leading_space(src_.substr(p));
    if (src_.substr(p, word.size()) != word) return 0;
    p += word.size();
    return p + unicode::leading_space(src_.substr(p));
  };
  const size_t after = keyword(tag, "raw");
  if (after == 0) return false;
  const bool strip = src_.substr(after, 3) == "-%}";
  if (!strip && src_.substr(after, 2) != "%}") return false;
  advance(after + (strip ? 3 : 2) - pos_);
  if (strip) skip_space();
  for (size_t end = src_.find("{%", pos_); end != src_.npos; end = src_.find("{%", end + 1)) {
    const size_t close = keyword(end, "endraw");
    if (close == 0) continue;
    const char sign = close < src_.size() ? src_[close] : '\0';
    const size_t mark = close + (sign == '-' || sign == '+' ? 1 : 0);
    if (src_.substr(mark, 2) != "%}") continue;
    text_before_tag(end, src_[end + 2], true);
    advance(mark + 2 - pos_);
    if (sign == '-') {
      skip_space();
    } else if (sign != '+' && peek() == '\n') {
      advance(1);
    }
    return true;
  }
  fail_syntax(line_, "Missing end of raw directive");
}

// Consumes the tag's end if it stands here: `%}`, `-%}`, `+%}` for statements; `}}`, `-}}` for expressions.
bool Lexer::tag_end(char closer) {
  if (!open_brackets_.empty()) return false;
  const bool block = closer == '%';
  const std::string_view end = block ? "%}" : "}}";
  const char sign = peek();
  const bool is_signed = (sign == '-' || (block && sign == '+')) && src_.substr(pos_ + 1, 2) == end;
  if (!is_signed && !at(end)) return false;
  add(block ? TokenKind::kBlockEnd : TokenKind::kVariableEnd);
  advance(is_signed ? 3 : 2);
  if (is_signed && sign == '-') {
    skip_space();
  } else if (!is_signed && block && peek() == '\n') {
    advance(1);
  }
  return true;
}

void Lexer::tag(char closer) {
  while (pos_ < src_.size()) {
    if (tag_end(closer)) return;
    const size_t space = unicode::leading_space(src_.substr(pos_));
    if (space > 0) {
      advance(space);
    } else {
      token();
    }
  }
}

void Lexer::token() {
  const char c = peek();
  if (is_digit(c)) return number();
  if (c == '\'' || c == '"') return string();
  size_t end = pos_;
  const char32_t first = unicode::next(src_, end);
  if (c == '_' || unicode::is_alpha(first)) return name();
  operation();
}

bool Lexer::radix_number() {
  if (peek() != '0') return false;
  const char kind = static_cast<char>(peek(1) | 0x20);
  const int radix = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
  if (radix == 0) return false;
  std::string digits;
  size_t end = pos_ + 2;
  for (; end < src_.size() && (std::isxdigit(static_cast<unsigned char>(src_[end])) || src_[end] == '_'); ++end) {
    if (src_[end] != '_') digits += src_[end];
  }
  int64_t value = 0;
  const char* last = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), last, value, radix);
  if (result.ec != std::errc{} || result.ptr != last) fail_syntax(line_, "a number that is not a 64-bit integer");
  add(TokenKind::kInteger);
  tokens_.back().integer = value;
  advance(end - pos_);
  return true;
}

void Lexer::number() {
  if (radix_number()) return;
  std::string digits;
  size_t end = pos_;
  const auto take_digits = [&] {
    while (end < src_.size() &&
           (is_digit(src_[end]) || (src_[end] == '_' && end + 1 < src_.size() && is_digit(src_[end + 1])))) {
      if (src_[end] != '_') digits += src_[end];
      ++end;
    }
  };
  take_digits();
  const bool after_dot = pos_ > 0 && src_[pos_ - 1] == '.';  // a.0.5 is two subscripts
  bool real = false;
  if (!after_dot && end + 1 < src_.size() && src_[end] == '.' && is_digit(src_[end + 1])) {
    real = true;
    digits += '.';
    ++end;
    take_digits();
  }
  if (!after_dot && end < src_.size() && (src_[end] | 0x20) == 'e') {
    const size_t sign = end + 1 < src_.size() && (src_[end + 1] == '+' || src_[end + 1] == '-') ? 1 : 0;
    if (end + 1 + sign < src_.size() && is_digit(src_[end + 1 + sign])) {
      real = true;
      digits += 'e';
      if (sign == 1 && src_[end + 1] == '-') digits += '-';
      end += 1 + sign;
      take_digits();
    }
  }
  add(real ? TokenKind::kFloat : TokenKind::kInteger);
  Token& token = tokens_.back();
  const char* last = digits.data() + digits.size();
  const auto error = real ? std::from_chars(digits.data(), last, token.real).ec
                          : std::from_chars(digits.data(), last, token.integer).ec;
  if (error != std::errc{}) fail_syntax(line_, "a number that does not fit in 64 bits");
  if (!real && digits.size() > 1 && digits[0] == '0' && token.integer != 0) {
    fail_syntax(line_, "an integer that starts with 0");
  }
  advance(end - pos_);
}

void Lexer::name() {
  size_t end = pos_;
  for (size_t probe = end; end < src_.size(); end = probe) {
    const char32_t c = unicode::next(src_, probe);
    if (c != '_' && !unicode::is_alpha(c) && !unicode::is_numeric(c)) break;
  }
  add(TokenKind::kName, std::string(src_.substr(pos_, end - pos_)));
  advance(end - pos_);
}

void Lexer::string() {
  const char quote = peek();
  size_t end = pos_ + 1;
  while (end < src_.size() && src_[end] != quote) end += src_[end] == '\\' ? 2 : 1;
  if (end >= src_.size()) fail_syntax(line_, "a string that starts with {} has no end", quote);
  add(TokenKind::kString, unescape(src_.substr(pos_ + 1, end - pos_ - 1), line_));
  advance(end + 1 - pos_);
}

void Lexer::balance(std::string_view op) {
  if (op == "(") open_brackets_ += ')';
  if (op == "[") open_brackets_ += ']';
  if (op == "{") open_brackets_ += '}';
  if (op != ")" && op != "]" && op != "}") return;
  if (open_brackets_.empty()) fail_syntax(line_, "unexpected '{}'", op);
  if (open_brackets_.back() != op[0]) fail_syntax(line_, "unexpected '{}', expected '{}'", op, open_brackets_.back());
  open_brackets_.pop_back();
}

void Lexer::operation() {
  constexpr std::string_view kOperators[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
                                             "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
  for (const std::string_view op : kOperators) {
    if (!at(op)) continue;
    balance(op);
    add(TokenKind::kOperator, std::string(op));
    return advance(op.size());
  }
  size_t end = pos_;
  unicode::next(src_, end);
  fail_syntax(line_, "unexpected char '{}'", src_.substr(pos_, end - pos_));
}

}  // namespace

Tokens tokenize(std::string_view source) {
  return Lexer(source).run();
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kData: return "template data / text";
    case TokenKind::kVariableBegin: return "begin of print statement";
    case TokenKind::kVariableEnd: return "end of print statement";
    case TokenKind::kBlockBegin: return "begin of statement block";
    case TokenKind::kBlockEnd: return "end of statement block";
    case TokenKind::kName:
    case TokenKind::kOperator: return token.text;
    case TokenKind::kString: return "string";
    case TokenKind::kInteger: return "integer";
    case TokenKind::kFloat: return "float";
    case TokenKind::kEnd: return "end of template";
  }
  return "token";
}

}  // namespace minfer::jinja
