// What the parts of a template are called in the message of a limit.
#include <fmt/format.h>

#include "text/chat_template/operators.h"
#include "text/chat_template/tree.h"

namespace minfer::jinja {

std::string SequenceExpr::construct() const {
  return is_tuple ? "a tuple" : "a list";
}

std::string DictExpr::construct() const {
  return "a dict";
}

std::string BinaryExpr::construct() const {
  return fmt::format("the operator '{}'", symbol(op));
}

std::string CompareExpr::construct() const {
  return "a comparison";
}

std::string ConcatExpr::construct() const {
  return "the operator '~'";
}

std::string SubscriptExpr::construct() const {
  return "a subscript";
}

std::string SliceExpr::construct() const {
  return "a slice";
}

std::string CallExpr::construct() const {
  if (const auto* function = dynamic_cast<const NameExpr*>(callee.get())) {
    return fmt::format("the call of '{}'", function->name);
  }
  if (const auto* method = dynamic_cast<const AttributeExpr*>(callee.get())) {
    return fmt::format("the call of '.{}'", method->name);
  }
  return "a call";
}

std::string FilterExpr::construct() const {
  return fmt::format("the filter '{}'", step.name);
}

std::string TestExpr::construct() const {
  return fmt::format("the test '{}'", name);
}

std::string PrintStatement::construct() const {
  return "{{ … }}";
}

std::string ForStatement::construct() const {
  return "{% for %}";
}

std::string SetStatement::construct() const {
  return "{% set %}";
}

std::string SetBlockStatement::construct() const {
  return "{% set %}";
}

std::string FilterBlockStatement::construct() const {
  return "{% filter %}";
}

std::string MacroStatement::construct() const {
  return "{% macro %}";
}

std::string CallBlockStatement::construct() const {
  return "{% call %}";
}

}  // namespace minfer::jinja
