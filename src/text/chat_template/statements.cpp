// Execution of statements other than loops and macros.
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {
namespace {

Value filtered(Interpreter& interpreter, const std::vector<FilterStep>& filters, Value value) {
  for (const FilterStep& step : filters) value = step.apply(interpreter, value);
  return value;
}

void assign_attribute(Interpreter& interpreter, const Target& target, Value value) {
  const Value* found = interpreter.scope()->find(target.id);
  NamespaceData* data = found ? found->as_namespace() : nullptr;
  if (!data) fail_render("cannot assign attribute on non-namespace object");
  if (target.attribute[0] == '_') {
    fail_render("a chat template may not store the attribute '{}', which starts with an underscore", target.attribute);
  }
  interpreter.step(data->attributes.size() / 8);
  for (auto& [name, old] : data->attributes) {
    if (name != target.attribute) continue;
    const Value released = std::exchange(old, std::move(value));
    return;
  }
  data->charge.grow(kAttributeBytes + target.attribute.size());
  data->attributes.emplace_back(target.attribute, std::move(value));
}

void assign_parts(Interpreter& interpreter, const std::vector<Target>& parts, const Value& value) {
  const List items = interpreter.items_of(value);
  if (items.size() > parts.size()) fail_render("too many values to unpack (expected {})", parts.size());
  if (items.size() < parts.size()) {
    fail_render("not enough values to unpack (expected {}, got {})", parts.size(), items.size());
  }
  for (size_t i = 0; i < parts.size(); ++i) parts[i].assign(interpreter, items[i]);
}

}  // namespace

void Target::assign(Interpreter& interpreter, Value value) const {
  if (is_tuple) return assign_parts(interpreter, parts, value);
  if (!attribute.empty()) return assign_attribute(interpreter, *this, std::move(value));
  interpreter.scope()->set(id, std::move(value));
}

Flow TextStatement::execute(Interpreter& interpreter) const {
  interpreter.write(text);
  return Flow::kNext;
}

Flow PrintStatement::execute(Interpreter& interpreter) const {
  const Value printed = interpreter.evaluate(*value);
  interpreter.at(line);
  if (const TextData* data = printed.as_text()) {
    interpreter.write(data->bytes);
  } else {
    interpreter.write(interpreter.string_of(printed));
  }
  return Flow::kNext;
}

Flow IfStatement::execute(Interpreter& interpreter) const {
  for (const auto& [condition, body] : branches) {
    if (interpreter.evaluate(*condition).truth()) return interpreter.execute(body);
  }
  return interpreter.execute(otherwise);
}

Flow SetStatement::execute(Interpreter& interpreter) const {
  Value assigned = interpreter.evaluate(*value);
  interpreter.at(line);
  target.assign(interpreter, std::move(assigned));
  return Flow::kNext;
}

Flow SetBlockStatement::execute(Interpreter& interpreter) const {
  Value value = interpreter.text(interpreter.capture(body, interpreter.scope()));
  value = filtered(interpreter, filters, std::move(value));
  interpreter.at(line);
  target.assign(interpreter, std::move(value));
  return Flow::kNext;
}

Flow FilterBlockStatement::execute(Interpreter& interpreter) const {
  Value value = interpreter.text(interpreter.capture(body, interpreter.scope()));
  interpreter.write(interpreter.string_of(filtered(interpreter, filters, std::move(value))));
  return Flow::kNext;
}

Flow WithStatement::execute(Interpreter& interpreter) const {
  std::vector<Value> values;
  for (const auto& [target, expr] : assignments) values.push_back(interpreter.evaluate(*expr));
  const Interpreter::InScope in_scope(interpreter, inner_scope(interpreter.scope()));
  for (size_t i = 0; i < values.size(); ++i) assignments[i].first.assign(interpreter, std::move(values[i]));
  return interpreter.execute(body);
}

Flow GenerationStatement::execute(Interpreter& interpreter) const {
  interpreter.write(interpreter.capture(body, interpreter.scope()));
  return Flow::kNext;
}

}  // namespace minfer::jinja
