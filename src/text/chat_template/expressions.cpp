// Evaluation of expressions.
#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {

Value NameExpr::evaluate(Interpreter& interpreter) const {
  if (const Value* value = interpreter.scope()->find(id)) return *value;
  bool found = false;
  Value global = find_global(name, found);
  return found ? global : Value::undefined(fmt::format("'{}' is undefined", name));
}

Value SequenceExpr::evaluate(Interpreter& interpreter) const {
  List values;
  values.reserve(items.size());
  for (const ExprPtr& item : items) values.push_back(interpreter.evaluate(*item));
  interpreter.made(values.size() * sizeof(Value));
  return is_tuple ? Value::tuple(std::move(values)) : Value::list(std::move(values));
}

Value DictExpr::evaluate(Interpreter& interpreter) const {
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [key_expr, value_expr] : items) {
    Value key = interpreter.evaluate(*key_expr);
    Value value = interpreter.evaluate(*value_expr);
    require_hashable(key);
    bool replaced = false;
    for (auto& [old_key, old_value] : entries) {
      if (!equal(old_key, key)) continue;
      old_value = value;
      replaced = true;
    }
    interpreter.step(entries.size() / 8);
    if (!replaced) entries.emplace_back(std::move(key), std::move(value));
  }
  interpreter.made(entries.size() * 2 * sizeof(Value));
  return Value::dict(std::move(entries));
}

Value UnaryExpr::evaluate(Interpreter& interpreter) const {
  const Value value = interpreter.evaluate(*operand);
  interpreter.at(line);
  return negate(value, op);
}

Value BinaryExpr::evaluate(Interpreter& interpreter) const {
  const Value a = interpreter.evaluate(*left);
  const Value b = interpreter.evaluate(*right);
  interpreter.at(line);
  return binary(interpreter, op, a, b);
}

Value LogicExpr::evaluate(Interpreter& interpreter) const {
  Value value = interpreter.evaluate(*left);
  return value.truth() == is_and ? interpreter.evaluate(*right) : value;
}

Value CompareExpr::evaluate(Interpreter& interpreter) const {
  Value a = interpreter.evaluate(*first);
  for (const auto& [op, expr] : rest) {
    Value b = interpreter.evaluate(*expr);
    interpreter.at(line);
    if (!compare(interpreter, op, a, b)) return Value::boolean(false);
    a = std::move(b);
  }
  return Value::boolean(true);
}

Value ConcatExpr::evaluate(Interpreter& interpreter) const {
  std::string out;
  for (const ExprPtr& part : parts) out += interpreter.string_of(interpreter.evaluate(*part));
  return interpreter.text(std::move(out));
}

Value ConditionalExpr::evaluate(Interpreter& interpreter) const {
  if (interpreter.evaluate(*condition).truth()) return interpreter.evaluate(*yes);
  if (no) return interpreter.evaluate(*no);
  return Value::undefined(
      fmt::format("the inline if-expression on line {} evaluated to false and no else section was defined.", line));
}

Value AttributeExpr::evaluate(Interpreter& interpreter) const {
  const Value value = interpreter.evaluate(*object);
  interpreter.at(line);
  if (const DictData* dict = value.as_dict()) interpreter.step(dict->entries.size() / 8);
  return attribute(value, name);
}

Value SubscriptExpr::evaluate(Interpreter& interpreter) const {
  const Value value = interpreter.evaluate(*object);
  const Value key = interpreter.evaluate(*index);
  interpreter.at(line);
  if (const DictData* dict = value.as_dict()) interpreter.step(dict->entries.size() / 8);
  return subscript(interpreter, value, key);
}

Value SliceExpr::evaluate(Interpreter& interpreter) const {
  const auto part = [&](const ExprPtr& expr) { return expr ? interpreter.evaluate(*expr) : Value::none(); };
  const Value value = interpreter.evaluate(*object);
  const Value from = part(start);
  const Value to = part(stop);
  const Value by = part(step);
  interpreter.at(line);
  return slice(interpreter, value, from, to, by);
}

CallArgs ArgumentExprs::evaluate(Interpreter& interpreter) const {
  CallArgs out;
  for (const ExprPtr& expr : positional) out.positional.push_back(interpreter.evaluate(*expr));
  for (const auto& [name, expr] : named) out.named.emplace_back(name, interpreter.evaluate(*expr));
  if (star) {
    for (Value& value : interpreter.items_of(interpreter.evaluate(*star))) out.positional.push_back(std::move(value));
  }
  if (double_star) {
    const Value more = interpreter.evaluate(*double_star);
    const DictData* dict = more.as_dict();
    if (!dict) fail_render("argument after ** must be a mapping, not {}", type_name(more));
    for (const auto& [key, value] : dict->entries) {
      if (!key.as_text()) fail_render("keywords must be strings");
      for (const auto& other : out.named) {
        if (other.first == key.as_text()->bytes) {
          fail_render("got multiple values for keyword argument '{}'", other.first);
        }
      }
      out.named.emplace_back(key.as_text()->bytes, value);
    }
    interpreter.step(dict->entries.size() * dict->entries.size() / 8);
  }
  return out;
}

namespace {

Value call_value(Interpreter& interpreter, const Value& callee, CallArgs& args) {
  require_defined(callee);
  if (const CallableData* data = callee.as_callable()) return data->call(interpreter, args);
  if (Loop* loop = callee.as_loop()) {
    if (!loop->recurse) fail_render("The loop must have the 'recursive' marker to be called recursively.");
    if (args.positional.size() != 1) fail_render("loop() takes one argument");
    return loop->recurse(interpreter, args.positional[0]);
  }
  fail_render("'{}' object is not callable", type_name(callee));
}

}  // namespace

Value CallExpr::call(Interpreter& interpreter, const Value* caller) const {
  // A method is called without making a bound method first.
  const auto* attribute_expr = dynamic_cast<const AttributeExpr*>(callee.get());
  Value self;
  FilterFunction method = nullptr;
  Value function;
  if (attribute_expr) {
    self = interpreter.evaluate(*attribute_expr->object);
    interpreter.at(line);
    const bool allowed = !is_mutating_method(self, attribute_expr->name);
    method = allowed ? find_method(self, attribute_expr->name) : nullptr;
    if (!method) function = attribute(self, attribute_expr->name);
  } else {
    function = interpreter.evaluate(*callee);
  }
  CallArgs args = arguments.evaluate(interpreter);
  if (caller) args.named.emplace_back("caller", *caller);
  interpreter.at(line);
  return method ? method(interpreter, self, args) : call_value(interpreter, function, args);
}

Value FilterStep::apply(Interpreter& interpreter, const Value& input) const {
  interpreter.at(line);
  if (!function) fail_unsupported("No filter named '{}'.", name);
  CallArgs args = arguments.evaluate(interpreter);
  interpreter.at(line);
  return function(interpreter, input, args);
}

Value FilterExpr::evaluate(Interpreter& interpreter) const {
  return step.apply(interpreter, interpreter.evaluate(*input));
}

Value TestExpr::evaluate(Interpreter& interpreter) const {
  const Value value = interpreter.evaluate(*input);
  interpreter.at(line);
  if (!function) fail_unsupported("No test named '{}'.", name);
  CallArgs args = arguments.evaluate(interpreter);
  interpreter.at(line);
  return Value::boolean(function(interpreter, value, args));
}

}  // namespace minfer::jinja
