// Cuts a template into tokens: text, the marks around statements and expressions, and what stands inside them. White
// space control (`-`, `+`, trim_blocks, lstrip_blocks) is applied here, as jinja2 does in its lexer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/chat_template/failure.h"

namespace minfer::jinja {

enum class TokenKind {
  kData,           // text outside of tags
  kVariableBegin,  // {{
  kVariableEnd,
  kBlockBegin,  // {%
  kBlockEnd,
  kName,
  kString,
  kInteger,
  kFloat,
  kOperator,
  kEnd,
};

struct Token {
  TokenKind kind;
  int line;
  std::string text;  // of data, names, operators; the unescaped value of strings
  int64_t integer = 0;
  double real = 0;

  bool is(TokenKind k, std::string_view t) const { return kind == k && text == t; }
  bool is_operator(std::string_view t) const { return is(TokenKind::kOperator, t); }
  bool is_name(std::string_view t) const { return is(TokenKind::kName, t); }
};

// The tokens of a template, closed by kEnd. What cannot be read as a token ends them too; its error is kept, so that an
// error of the parser before that place comes first, as in jinja2, which lexes while it parses.
struct Tokens {
  std::vector<Token> list;
  std::optional<TemplateError> failure;  // stands for the last token
};

// Line ends become "\n" and one at the very end is dropped.
Tokens tokenize(std::string_view source);

// How a token is called in messages.
std::string describe(const Token& token);

// The value of a string literal's inside, with Python's escapes.
std::string unescape(std::string_view literal, int line);

}  // namespace minfer::jinja
