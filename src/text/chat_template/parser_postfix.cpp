// What follows an operand: attributes, subscripts, calls, filters and tests.
#include <algorithm>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/parser_state.h"

namespace minfer::jinja {

ExprPtr Parser::postfix(ExprPtr node) {
  while (true) {
    if (current().is_operator(".") || current().is_operator("[")) {
      node = attribute_or_index(std::move(node));
    } else if (current().is_operator("(")) {
      node = call(std::move(node));
    } else {
      return node;
    }
  }
}

ExprPtr Parser::attribute_or_index(ExprPtr object) {
  const Token mark = next();
  if (mark.text == "[") return subscript(std::move(object), mark.line);
  const Token name = next();
  const Expr* inner = object.get();
  if (name.kind == TokenKind::kInteger) {
    auto node = std::make_unique<SubscriptExpr>(mark.line);
    node->object = std::move(object);
    node->index = std::make_unique<LiteralExpr>(name.line, Value::integer(name.integer));
    return deepen(std::move(node), {inner});
  }
  if (name.kind != TokenKind::kName) fail_syntax(name.line, "expected name or number");
  auto node = std::make_unique<AttributeExpr>(mark.line);
  node->object = std::move(object);
  node->name = name.text;
  return deepen(std::move(node), {inner});
}

// Behind the `[`: an index, a slice, or several indexes (a tuple).
ExprPtr Parser::subscript(ExprPtr object, int line) {
  ExprPtr parts[3];
  bool is_slice = false;
  for (int i = 0; i < 3; ++i) {
    if (!current().is_operator(":") && !current().is_operator("]")) parts[i] = expression();
    if (i == 2 || !skip_operator(":")) break;
    is_slice = true;
  }
  const Expr* inner = object.get();
  const Expr* children[3] = {parts[0].get(), parts[1].get(), parts[2].get()};
  if (is_slice) {
    expect_operator("]");
    auto node = std::make_unique<SliceExpr>(line);
    node->object = std::move(object);
    node->start = std::move(parts[0]);
    node->stop = std::move(parts[1]);
    node->step = std::move(parts[2]);
    return deepen(std::move(node), {inner, children[0], children[1], children[2]});
  }
  if (!parts[0] || current().is_operator(",")) {
    throw TemplateError(TemplateErrorKind::kUnsupported, "an index of several values, or of none", line);
  }
  expect_operator("]");
  auto node = std::make_unique<SubscriptExpr>(line);
  node->object = std::move(object);
  node->index = std::move(parts[0]);
  return deepen(std::move(node), {inner, children[0]});
}

// `depth` is raised to that of the deepest argument.
ArgumentExprs Parser::arguments(int& depth) {
  ArgumentExprs out;
  const int line = current().line;
  const auto ensure = [&](bool valid) {
    if (!valid) fail_syntax(line, "invalid syntax for function call expression");
  };
  const auto argument = [&] {
    ExprPtr node = expression();
    depth = std::max(depth, node->depth + 1);
    return node;
  };
  expect_operator("(");
  for (bool first = true; !current().is_operator(")"); first = false) {
    if (!first) {
      expect_operator(",");
      if (current().is_operator(")")) break;
    }
    if (skip_operator("*")) {
      ensure(!out.star && !out.double_star);
      out.star = argument();
    } else if (skip_operator("**")) {
      ensure(!out.double_star);
      out.double_star = argument();
    } else if (current().kind == TokenKind::kName && look().is_operator("=")) {
      ensure(!out.double_star);
      std::string name = next().text;
      next();
      for (const auto& other : out.named) ensure(other.first != name);
      out.named.emplace_back(std::move(name), argument());
    } else {
      ensure(!out.star && !out.double_star && out.named.empty());
      out.positional.push_back(argument());
    }
  }
  expect_operator(")");
  return out;
}

ExprPtr Parser::call(ExprPtr callee) {
  auto node = std::make_unique<CallExpr>(current().line);
  node->arguments = arguments(node->depth);
  const Expr* inner = callee.get();
  node->callee = std::move(callee);
  return deepen(std::move(node), {inner});
}

void Parser::note_unknown(std::string message, int line) {
  unknown_.push_back({line, std::move(message), forgiving_});
}

// Behind the `|`.
FilterStep Parser::filter_step() {
  FilterStep step;
  step.line = current().line;
  step.name = any_name();
  while (skip_operator(".")) step.name += "." + any_name();
  step.function = find_filter(step.name);
  if (!step.function) note_unknown(fmt::format("No filter named '{}'.", step.name), step.line);
  if (current().is_operator("(")) step.arguments = arguments(step.depth);
  if (step.depth > kMaxTreeDepth) fail_syntax(step.line, "an expression of more than {} steps", kMaxTreeDepth);
  return step;
}

std::vector<FilterStep> Parser::filter_chain() {
  std::vector<FilterStep> steps;
  while (skip_operator("|")) steps.push_back(filter_step());
  return steps;
}

ExprPtr Parser::filters_and_tests(ExprPtr node) {
  while (true) {
    if (skip_operator("|")) {
      auto filter = std::make_unique<FilterExpr>(current().line);
      const Expr* inner = node.get();
      filter->input = std::move(node);
      filter->step = filter_step();
      filter->depth = filter->step.depth;
      node = deepen(std::move(filter), {inner});
    } else if (current().is_name("is")) {
      node = test(std::move(node));
    } else if (current().is_operator("(")) {
      node = call(std::move(node));
    } else {
      return node;
    }
  }
}

ExprPtr Parser::test(ExprPtr input) {
  auto node = std::make_unique<TestExpr>(next().line);
  const bool negated = skip_name("not");
  node->name = any_name();
  while (skip_operator(".")) node->name += "." + any_name();
  node->function = find_test(node->name);
  if (!node->function) note_unknown(fmt::format("No test named '{}'.", node->name), node->line);
  const Token& token = current();
  const bool literal = token.kind == TokenKind::kString || token.kind == TokenKind::kInteger ||
                       token.kind == TokenKind::kFloat || token.is_operator("[") || token.is_operator("{");
  const bool name = token.kind == TokenKind::kName && token.text != "else" && token.text != "or" && token.text != "and";
  if (token.is_operator("(")) {
    node->arguments = arguments(node->depth);
  } else if (token.is_name("is")) {
    fail_syntax(token.line, "You cannot chain multiple tests with is");
  } else if (literal || name) {
    const Nesting nesting(*this);
    node->arguments.positional.push_back(postfix(primary()));
    node->depth = node->arguments.positional[0]->depth + 1;
  }
  const Expr* inner = input.get();
  node->input = std::move(input);
  const int line = node->line;
  ExprPtr out = deepen(std::move(node), {inner});
  if (!negated) return out;
  auto inverse = std::make_unique<UnaryExpr>(line);
  inverse->op = UnaryOp::kNot;
  inner = out.get();
  inverse->operand = std::move(out);
  return deepen(std::move(inverse), {inner});
}

}  // namespace minfer::jinja
