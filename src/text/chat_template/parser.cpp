// Statements and the token helpers of the parser.
#include "text/chat_template/parser.h"

#include <algorithm>
#include <array>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/parser_state.h"

namespace minfer::jinja {

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.nesting_ > kMaxNesting) {
    fail_syntax(parser_.current().line, "brackets and blocks are nested more than {} deep", kMaxNesting);
  }
}

Parser::Nesting::~Nesting() {
  --parser_.nesting_;
}

Parser::Parser(std::string_view source) {
  Tokens tokens = tokenize(source);
  tokens_ = std::move(tokens.list);
  failure_ = std::move(tokens.failure);
  check_readable();
}

void Parser::check_readable() const {
  if (failure_ && position_ + 1 == tokens_.size()) throw *failure_;
}

Token Parser::next() {
  if (position_ + 1 == tokens_.size()) return tokens_[position_];
  Token token = std::move(tokens_[position_++]);
  check_readable();
  return token;
}

bool Parser::skip_operator(std::string_view op) {
  if (!current().is_operator(op)) return false;
  next();
  return true;
}

bool Parser::skip_name(std::string_view name) {
  if (!current().is_name(name)) return false;
  next();
  return true;
}

void Parser::fail_expected(std::string_view what) const {
  if (current().kind == TokenKind::kEnd) {
    fail_syntax(current().line, "unexpected end of template, expected '{}'", what);
  }
  fail_syntax(current().line, "expected token '{}', got '{}'", what, describe(current()));
}

void Parser::expect_operator(std::string_view op) {
  if (!skip_operator(op)) fail_expected(op);
}

void Parser::expect_name(std::string_view name) {
  if (!skip_name(name)) fail_expected(name);
}

void Parser::expect(TokenKind kind, std::string_view what) {
  if (current().kind != kind) fail_expected(what);
  next();
}

std::string Parser::any_name() {
  if (current().kind != TokenKind::kName) fail_expected("name");
  return next().text;
}

NameId Parser::name_id(const std::string& name) {
  const auto [entry, is_new] = name_ids_.try_emplace(name, static_cast<NameId>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

Template Parser::run() {
  Template out;
  out.body = body_until({});
  for (const UnknownName& unknown : unknown_) {
    if (!unknown.forgiven) throw TemplateError(TemplateErrorKind::kUnsupported, unknown.message, unknown.line);
  }
  out.names = std::move(names_);
  return out;
}

// Statements up to one of the tags `ends` (whose `{%` is consumed) or to the end of the template when there are none.
Body Parser::body_until(std::initializer_list<std::string_view> ends) {
  Body body;
  while (current().kind != TokenKind::kEnd) {
    const int line = current().line;
    if (current().kind == TokenKind::kData) {
      auto node = std::make_unique<TextStatement>(line);
      node->text = next().text;
      body.push_back(std::move(node));
    } else if (current().kind == TokenKind::kVariableBegin) {
      next();
      auto node = std::make_unique<PrintStatement>(line);
      node->value = tuple(true);
      node->line = node->value->line;
      expect(TokenKind::kVariableEnd, "end of print statement");
      body.push_back(std::move(node));
    } else {
      next();
      const bool ended =
          current().kind == TokenKind::kName && std::find(ends.begin(), ends.end(), current().text) != ends.end();
      if (ended) return body;
      body.push_back(statement());
      expect(TokenKind::kBlockEnd, "end of statement block");
    }
  }
  if (ends.size() > 0) {
    fail_syntax(current().line,
                "Unexpected end of template. Jinja was looking for the following tags: '{}'. The innermost block that "
                "needs to be closed is '{}'.",
                fmt::join(ends, "' or '"), open_tags_.empty() ? "" : open_tags_.back());
  }
  return body;
}

// The rest of an opening tag, then the body.
Body Parser::block_body(std::initializer_list<std::string_view> ends) {
  skip_operator(":");
  expect(TokenKind::kBlockEnd, "end of statement block");
  return body_until(ends);
}

// A block_body that is a frame of its own in jinja2, with its end tag's name consumed.
Body Parser::inner_block(std::string_view end) {
  const bool outer = std::exchange(forgiving_, false);
  Body body = block_body({end});
  forgiving_ = outer;
  next();
  return body;
}

void Parser::fail_unknown_tag(const Token& tag) const {
  constexpr std::array<std::string_view, 9> kKnown = {"block",      "extends", "include", "import", "from",
                                                      "autoescape", "do",      "trans",   "debug"};
  if (std::find(kKnown.begin(), kKnown.end(), tag.text) != kKnown.end()) {
    throw TemplateError(TemplateErrorKind::kUnsupported, fmt::format("the tag '{}'", tag.text), tag.line);
  }
  fail_syntax(tag.line, "Encountered unknown tag '{}'.", tag.text);
}

std::unique_ptr<Statement> Parser::statement() {
  const Nesting nesting(*this);
  if (current().kind != TokenKind::kName) fail_syntax(current().line, "tag name expected");
  const Token tag = next();
  static constexpr std::array<std::string_view, 9> kTags = {"for",    "if",   "set",        "macro", "call",
                                                            "filter", "with", "generation", "print"};
  const auto* known = std::find(kTags.begin(), kTags.end(), tag.text);
  if (tag.text == "break") return jump_statement(tag.line, Flow::kBreak);
  if (tag.text == "continue") return jump_statement(tag.line, Flow::kContinue);
  if (known == kTags.end()) fail_unknown_tag(tag);
  open_tags_.push_back(*known);
  std::unique_ptr<Statement> node;
  if (tag.text == "for") node = for_statement(tag.line);
  if (tag.text == "if") node = if_statement(tag.line);
  if (tag.text == "set") node = set_statement(tag.line);
  if (tag.text == "macro") node = macro_statement(tag.line);
  if (tag.text == "call") node = call_block(tag.line);
  if (tag.text == "filter") node = filter_block(tag.line);
  if (tag.text == "with") node = with_statement(tag.line);
  if (tag.text == "generation") node = generation_block(tag.line);
  if (tag.text == "print") {
    auto print = std::make_unique<PrintStatement>(tag.line);
    print->value = expression();
    node = std::move(print);
  }
  open_tags_.pop_back();
  return node;
}

std::unique_ptr<Statement> Parser::jump_statement(int line, Flow flow) {
  if (loops_ == 0) fail_syntax(line, "break and continue belong inside of a for loop");
  auto node = std::make_unique<JumpStatement>(line);
  node->flow = flow;
  return node;
}

std::unique_ptr<Statement> Parser::for_statement(int line) {
  auto node = std::make_unique<ForStatement>(line);
  node->loop_id = name_id("loop");
  node->target = target(false, "in");
  expect_name("in");
  node->iterable = tuple(false, {"recursive"});
  if (skip_name("if")) node->condition = expression();
  node->recursive = skip_name("recursive");
  const bool outer = std::exchange(forgiving_, false);
  ++loops_;
  node->body = block_body({"endfor", "else"});
  --loops_;
  if (next().text == "else") {
    node->otherwise = block_body({"endfor"});
    next();
  }
  forgiving_ = outer;
  return node;
}

std::unique_ptr<Statement> Parser::if_statement(int line) {
  auto node = std::make_unique<IfStatement>(line);
  const bool outer = std::exchange(forgiving_, true);
  while (true) {
    ExprPtr condition = tuple(false);
    Body body = block_body({"elif", "else", "endif"});
    node->branches.emplace_back(std::move(condition), std::move(body));
    const Token end = next();
    if (end.text == "elif") continue;
    if (end.text == "else") {
      node->otherwise = block_body({"endif"});
      next();
    }
    break;
  }
  forgiving_ = outer;
  return node;
}

std::unique_ptr<Statement> Parser::set_statement(int line) {
  Target to = target(true, "");
  if (skip_operator("=")) {
    auto node = std::make_unique<SetStatement>(line);
    node->target = std::move(to);
    node->value = tuple(true);
    return node;
  }
  auto node = std::make_unique<SetBlockStatement>(line);
  node->target = std::move(to);
  node->filters = filter_chain();
  node->body = inner_block("endset");
  return node;
}

void Parser::signature(MacroBody& macro) {
  expect_operator("(");
  while (!current().is_operator(")")) {
    if (!macro.parameters.empty()) expect_operator(",");
    const int line = current().line;
    const std::string name = any_name();
    ExprPtr fallback;
    if (skip_operator("=")) {
      fallback = expression();
    } else if (!macro.parameters.empty() && macro.parameters.back().fallback) {
      fail_syntax(line, "non-default argument follows default argument");
    }
    macro.parameters.push_back({name_id(name), name, std::move(fallback)});
  }
  expect_operator(")");
}

// Parses the body and finds out which of caller, varargs and kwargs it asks for.
void Parser::macro_body(MacroBody& macro, std::string_view end) {
  macro.caller_id = name_id("caller");
  macro.varargs_id = name_id("varargs");
  macro.kwargs_id = name_id("kwargs");
  macros_.push_back(&macro);
  const int outer_loops = std::exchange(loops_, 0);
  macro.body = inner_block(end);
  loops_ = outer_loops;
  macros_.pop_back();
  for (const Parameter& parameter : macro.parameters) {
    if (parameter.name == "caller") macro.uses_caller = false;
    if (parameter.name == "varargs") macro.uses_varargs = false;
    if (parameter.name == "kwargs") macro.uses_kwargs = false;
  }
}

std::unique_ptr<Statement> Parser::macro_statement(int line) {
  auto node = std::make_unique<MacroStatement>(line);
  node->macro.name = any_name();
  node->id = name_id(node->macro.name);
  signature(node->macro);
  macro_body(node->macro, "endmacro");
  return node;
}

std::unique_ptr<Statement> Parser::call_block(int line) {
  auto node = std::make_unique<CallBlockStatement>(line);
  node->caller.name = "caller";
  if (current().is_operator("(")) signature(node->caller);
  ExprPtr called = expression();
  auto* call_node = dynamic_cast<CallExpr*>(called.get());
  if (!call_node) fail_syntax(line, "expected call");
  called.release();
  node->call.reset(call_node);
  macro_body(node->caller, "endcall");
  return node;
}

std::unique_ptr<Statement> Parser::filter_block(int line) {
  auto node = std::make_unique<FilterBlockStatement>(line);
  node->filters.push_back(filter_step());
  for (FilterStep& step : filter_chain()) node->filters.push_back(std::move(step));
  node->body = inner_block("endfilter");
  return node;
}

std::unique_ptr<Statement> Parser::with_statement(int line) {
  auto node = std::make_unique<WithStatement>(line);
  while (current().kind != TokenKind::kBlockEnd) {
    if (!node->assignments.empty()) expect_operator(",");
    Target to = target(false, "");
    expect_operator("=");
    node->assignments.emplace_back(std::move(to), expression());
  }
  node->body = inner_block("endwith");
  return node;
}

std::unique_ptr<Statement> Parser::generation_block(int line) {
  auto node = std::make_unique<GenerationStatement>(line);
  node->body = inner_block("endgeneration");
  return node;
}

Target Parser::single_target(bool with_namespace) {
  const Nesting nesting(*this);
  Target out;
  if (skip_operator("(")) {
    out = target(with_namespace, "");
    expect_operator(")");
    return out;
  }
  const int line = current().line;
  if (current().kind != TokenKind::kName) fail_syntax(line, "can't assign to '{}'", describe(current()));
  out.name = next().text;
  constexpr std::array<std::string_view, 6> kConstants = {"true", "false", "none", "True", "False", "None"};
  if (std::find(kConstants.begin(), kConstants.end(), out.name) != kConstants.end()) {
    fail_syntax(line, "can't assign to 'const'");
  }
  out.id = name_id(out.name);
  if (with_namespace && skip_operator(".")) out.attribute = any_name();
  return out;
}

Target Parser::target(bool with_namespace, std::string_view end_name) {
  Target first = single_target(with_namespace);
  if (!current().is_operator(",")) return first;
  Target out;
  out.is_tuple = true;
  out.parts.push_back(std::move(first));
  while (skip_operator(",")) {
    const bool ends = current().kind != TokenKind::kName && !current().is_operator("(");
    if (ends || (!end_name.empty() && current().is_name(end_name))) break;
    out.parts.push_back(single_target(with_namespace));
  }
  return out;
}

std::optional<NameId> Template::find_name(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<NameId>(found - names.begin());
}

Template parse(std::string_view source) {
  return Parser(source).run();
}

}  // namespace minfer::jinja
