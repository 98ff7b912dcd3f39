// The parser's class, shared by the files of its parts: statements (parser.cpp) and expressions.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/chat_template/lexer.h"
#include "text/chat_template/tree.h"

namespace minfer::jinja {

class Parser {
 public:
  explicit Parser(std::string_view source);
  Template run();

 private:
  // One level of brackets or blocks, counted against kMaxNesting.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting();
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // Whether an unknown filter is an error at once (jinja2 forgives it inside of `if` until it is reached).
  struct UnknownName {
    int line;
    std::string message;
    bool forgiven;
  };

  // Tokens.
  const Token& current() const { return tokens_[position_]; }
  const Token& look() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  Token next();
  void check_readable() const;
  bool skip_operator(std::string_view op);
  bool skip_name(std::string_view name);
  void expect_operator(std::string_view op);
  void expect_name(std::string_view name);
  void expect(TokenKind kind, std::string_view what);
  std::string any_name();
  [[noreturn]] void fail_expected(std::string_view what) const;
  NameId name_id(const std::string& name);

  // Statements.
  Body body_until(std::initializer_list<std::string_view> ends);
  Body block_body(std::initializer_list<std::string_view> ends);
  Body inner_block(std::string_view end);
  std::unique_ptr<Statement> statement();
  std::unique_ptr<Statement> for_statement(int line);
  std::unique_ptr<Statement> if_statement(int line);
  std::unique_ptr<Statement> set_statement(int line);
  std::unique_ptr<Statement> macro_statement(int line);
  std::unique_ptr<Statement> call_block(int line);
  std::unique_ptr<Statement> filter_block(int line);
  std::unique_ptr<Statement> with_statement(int line);
  std::unique_ptr<Statement> generation_block(int line);
  std::unique_ptr<Statement> jump_statement(int line, Flow flow);
  void signature(MacroBody& macro);
  void macro_body(MacroBody& macro, std::string_view end);
  Target target(bool with_namespace, std::string_view end_name);
  Target single_target(bool with_namespace);
  [[noreturn]] void fail_unknown_tag(const Token& tag) const;

  // Expressions.
  ExprPtr tuple(bool with_condition, std::initializer_list<std::string_view> end_names = {},
                bool parenthesized = false);
  ExprPtr expression() { return conditional(); }
  ExprPtr conditional();
  ExprPtr disjunction();
  ExprPtr conjunction();
  ExprPtr negation();
  ExprPtr comparison();
  ExprPtr sum();
  ExprPtr concatenation();
  ExprPtr product();
  ExprPtr power();
  ExprPtr unary(bool with_filter = true);
  ExprPtr primary();
  ExprPtr name_or_constant();
  ExprPtr string_literal();
  ExprPtr list_literal();
  ExprPtr dict_literal();
  ExprPtr postfix(ExprPtr node);
  ExprPtr filters_and_tests(ExprPtr node);
  ExprPtr attribute_or_index(ExprPtr object);
  ExprPtr subscript(ExprPtr object, int line);
  ExprPtr call(ExprPtr callee);
  ExprPtr test(ExprPtr input);
  FilterStep filter_step();
  std::vector<FilterStep> filter_chain();
  ArgumentExprs arguments(int& depth);
  ExprPtr binary(BinaryOp op, int line, ExprPtr left, ExprPtr right);
  ExprPtr deepen(ExprPtr node, std::initializer_list<const Expr*> children);
  bool at_tuple_end(std::initializer_list<std::string_view> end_names) const;
  void note_unknown(std::string message, int line);

  std::vector<Token> tokens_;
  std::optional<TemplateError> failure_;  // of the last token
  size_t position_ = 0;
  int nesting_ = 0;
  int loops_ = 0;  // for statements around this place, inside the current macro
  bool forgiving_ = false;
  std::vector<UnknownName> unknown_;
  std::vector<MacroBody*> macros_;  // the macros around this place
  std::vector<std::string_view> open_tags_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, NameId> name_ids_;
};

}  // namespace minfer::jinja
