// Expressions, from the loosest binding (the conditional) to the tightest.
#include <algorithm>
#include <array>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/parser_state.h"

namespace minfer::jinja {

// Records the depth of a node over its children and refuses trees that are too deep to walk.
ExprPtr Parser::deepen(ExprPtr node, std::initializer_list<const Expr*> children) {
  for (const Expr* child : children) {
    if (child) node->depth = std::max(node->depth, child->depth + 1);
  }
  if (node->depth > kMaxTreeDepth) fail_syntax(node->line, "an expression of more than {} steps", kMaxTreeDepth);
  return node;
}

ExprPtr Parser::binary(BinaryOp op, int line, ExprPtr left, ExprPtr right) {
  auto node = std::make_unique<BinaryExpr>(line);
  node->op = op;
  const Expr* a = left.get();
  const Expr* b = right.get();
  node->left = std::move(left);
  node->right = std::move(right);
  return deepen(std::move(node), {a, b});
}

bool Parser::at_tuple_end(std::initializer_list<std::string_view> end_names) const {
  const Token& token = current();
  if (token.kind == TokenKind::kVariableEnd || token.kind == TokenKind::kBlockEnd || token.is_operator(")"))
    return true;
  return token.kind == TokenKind::kName && std::find(end_names.begin(), end_names.end(), token.text) != end_names.end();
}

// One expression, or a tuple when commas follow.
ExprPtr Parser::tuple(bool with_condition, std::initializer_list<std::string_view> end_names, bool parenthesized) {
  auto node = std::make_unique<SequenceExpr>(current().line);
  node->is_tuple = true;
  bool has_comma = false;
  while (!at_tuple_end(end_names)) {
    node->items.push_back(with_condition ? conditional() : disjunction());
    if (!skip_operator(",")) break;
    has_comma = true;
  }
  if (!has_comma) {
    if (!node->items.empty()) return std::move(node->items[0]);
    if (!parenthesized) fail_syntax(current().line, "Expected an expression, got '{}'", describe(current()));
  }
  int depth = 1;
  for (const ExprPtr& item : node->items) depth = std::max(depth, item->depth + 1);
  node->depth = depth;
  return deepen(std::move(node), {});
}

ExprPtr Parser::conditional() {
  const Nesting nesting(*this);
  const size_t first_unknown = unknown_.size();
  ExprPtr value = disjunction();
  while (current().is_name("if")) {
    const int line = next().line;
    auto node = std::make_unique<ConditionalExpr>(line);
    node->line = value->line;
    node->yes = std::move(value);
    node->condition = disjunction();
    if (skip_name("else")) node->no = conditional();
    for (size_t i = first_unknown; i < unknown_.size(); ++i) unknown_[i].forgiven = true;
    const auto* n = node.get();
    value = deepen(std::move(node), {n->yes.get(), n->condition.get(), n->no.get()});
  }
  return value;
}

ExprPtr Parser::disjunction() {
  ExprPtr left = conjunction();
  while (current().is_name("or")) {
    auto node = std::make_unique<LogicExpr>(next().line);
    node->left = std::move(left);
    node->right = conjunction();
    const auto* n = node.get();
    left = deepen(std::move(node), {n->left.get(), n->right.get()});
  }
  return left;
}

ExprPtr Parser::conjunction() {
  ExprPtr left = negation();
  while (current().is_name("and")) {
    auto node = std::make_unique<LogicExpr>(next().line);
    node->is_and = true;
    node->left = std::move(left);
    node->right = negation();
    const auto* n = node.get();
    left = deepen(std::move(node), {n->left.get(), n->right.get()});
  }
  return left;
}

ExprPtr Parser::negation() {
  if (!current().is_name("not")) return comparison();
  const Nesting nesting(*this);
  auto node = std::make_unique<UnaryExpr>(next().line);
  node->op = UnaryOp::kNot;
  node->operand = negation();
  const Expr* operand = node->operand.get();
  return deepen(std::move(node), {operand});
}

ExprPtr Parser::comparison() {
  static constexpr std::array<std::pair<std::string_view, CompareOp>, 6> kOps = {{{"==", CompareOp::kEqual},
                                                                                  {"!=", CompareOp::kNotEqual},
                                                                                  {"<", CompareOp::kLess},
                                                                                  {"<=", CompareOp::kLessEqual},
                                                                                  {">", CompareOp::kGreater},
                                                                                  {">=", CompareOp::kGreaterEqual}}};
  ExprPtr first = sum();
  auto node = std::make_unique<CompareExpr>(first->line);
  int depth = first->depth + 1;
  while (true) {
    const auto* op =
        std::find_if(kOps.begin(), kOps.end(), [&](const auto& row) { return current().is_operator(row.first); });
    CompareOp found{};
    if (op != kOps.end()) {
      found = op->second;
      next();
    } else if (skip_name("in")) {
      found = CompareOp::kIn;
    } else if (current().is_name("not") && look().is_name("in")) {
      next();
      next();
      found = CompareOp::kNotIn;
    } else {
      break;
    }
    node->rest.emplace_back(found, sum());
    depth = std::max(depth, node->rest.back().second->depth + 1);
  }
  if (node->rest.empty()) return first;
  node->first = std::move(first);
  node->depth = depth;
  return deepen(std::move(node), {});
}

ExprPtr Parser::sum() {
  ExprPtr left = concatenation();
  while (current().is_operator("+") || current().is_operator("-")) {
    const Token op = next();
    left = binary(op.text == "+" ? BinaryOp::kAdd : BinaryOp::kSubtract, op.line, std::move(left), concatenation());
  }
  return left;
}

ExprPtr Parser::concatenation() {
  ExprPtr first = product();
  if (!current().is_operator("~")) return first;
  auto node = std::make_unique<ConcatExpr>(first->line);
  node->parts.push_back(std::move(first));
  while (skip_operator("~")) node->parts.push_back(product());
  for (const ExprPtr& part : node->parts) node->depth = std::max(node->depth, part->depth + 1);
  return deepen(std::move(node), {});
}

ExprPtr Parser::product() {
  ExprPtr left = power();
  while (true) {
    BinaryOp op{};
    if (current().is_operator("*")) {
      op = BinaryOp::kMultiply;
    } else if (current().is_operator("/")) {
      op = BinaryOp::kDivide;
    } else if (current().is_operator("//")) {
      op = BinaryOp::kFloorDivide;
    } else if (current().is_operator("%")) {
      op = BinaryOp::kModulo;
    } else {
      return left;
    }
    const int line = next().line;
    left = binary(op, line, std::move(left), power());
  }
}

// To the left, unlike Python: so is jinja2's grammar.
ExprPtr Parser::power() {
  ExprPtr left = unary();
  while (current().is_operator("**")) {
    const int line = next().line;
    left = binary(BinaryOp::kPower, line, std::move(left), unary());
  }
  return left;
}

ExprPtr Parser::unary(bool with_filter) {
  const Nesting nesting(*this);
  ExprPtr node;
  if (current().is_operator("-") || current().is_operator("+")) {
    const Token op = next();
    auto sign = std::make_unique<UnaryExpr>(op.line);
    sign->op = op.text == "-" ? UnaryOp::kNegate : UnaryOp::kPlus;
    sign->operand = unary(false);
    const Expr* operand = sign->operand.get();
    node = deepen(std::move(sign), {operand});
  } else {
    node = primary();
  }
  node = postfix(std::move(node));
  return with_filter ? filters_and_tests(std::move(node)) : std::move(node);
}

ExprPtr Parser::name_or_constant() {
  const Token token = next();
  if (token.text == "true" || token.text == "True")
    return std::make_unique<LiteralExpr>(token.line, Value::boolean(true));
  if (token.text == "false" || token.text == "False") {
    return std::make_unique<LiteralExpr>(token.line, Value::boolean(false));
  }
  if (token.text == "none" || token.text == "None") return std::make_unique<LiteralExpr>(token.line, Value::none());
  auto node = std::make_unique<NameExpr>(token.line);
  node->name = token.text;
  node->id = name_id(token.text);
  for (MacroBody* macro : macros_) {
    macro->uses_caller |= token.text == "caller";
    macro->uses_varargs |= token.text == "varargs";
    macro->uses_kwargs |= token.text == "kwargs";
  }
  return node;
}

ExprPtr Parser::string_literal() {
  const int line = current().line;
  std::string text;
  while (current().kind == TokenKind::kString) text += next().text;
  return std::make_unique<LiteralExpr>(line, Value::text(std::move(text)));
}

ExprPtr Parser::primary() {
  const Token& token = current();
  if (token.kind == TokenKind::kName) return name_or_constant();
  if (token.kind == TokenKind::kString) return string_literal();
  if (token.kind == TokenKind::kInteger || token.kind == TokenKind::kFloat) {
    const Token number = next();
    const bool whole = number.kind == TokenKind::kInteger;
    return std::make_unique<LiteralExpr>(number.line,
                                         whole ? Value::integer(number.integer) : Value::real(number.real));
  }
  if (skip_operator("(")) {
    ExprPtr node = tuple(true, {}, true);
    expect_operator(")");
    return node;
  }
  if (token.is_operator("[")) return list_literal();
  if (token.is_operator("{")) return dict_literal();
  fail_syntax(token.line, "unexpected '{}'", describe(token));
}

ExprPtr Parser::list_literal() {
  auto node = std::make_unique<SequenceExpr>(next().line);
  while (!current().is_operator("]")) {
    if (!node->items.empty()) {
      expect_operator(",");
      if (current().is_operator("]")) break;
    }
    node->items.push_back(expression());
    node->depth = std::max(node->depth, node->items.back()->depth + 1);
  }
  expect_operator("]");
  return deepen(std::move(node), {});
}

ExprPtr Parser::dict_literal() {
  auto node = std::make_unique<DictExpr>(next().line);
  while (!current().is_operator("}")) {
    if (!node->items.empty()) {
      expect_operator(",");
      if (current().is_operator("}")) break;
    }
    ExprPtr key = expression();
    expect_operator(":");
    ExprPtr value = expression();
    node->depth = std::max({node->depth, key->depth + 1, value->depth + 1});
    node->items.emplace_back(std::move(key), std::move(value));
  }
  expect_operator("}");
  return deepen(std::move(node), {});
}

}  // namespace minfer::jinja
