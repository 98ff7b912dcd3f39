// Tests: what stands behind `is`.
#include <algorithm>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/builtins.h"
#include "text/chat_template/cursor.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

void no_arguments(std::string_view name, CallArgs& args) {
  const Arguments none(name, args, {});
}

bool compared(Interpreter& interpreter, const Value& input, CallArgs& args, std::string_view name, CompareOp op) {
  const Arguments bound(name, args, {"other"}, 1);
  return compare(interpreter, op, input, bound.get(0));
}

bool remainder_is(Interpreter& interpreter, const Value& input, const Value& divisor, int64_t rest) {
  return equal(binary(interpreter, BinaryOp::kModulo, input, divisor), Value::integer(rest));
}

// str.islower or isupper of the text: all cased characters are of that case, and there is one.
bool all_cased(const std::string& text, bool (*wanted)(char32_t), bool (*other)(char32_t)) {
  const std::u32string all = unicode::decode(text);
  return std::any_of(all.begin(), all.end(), wanted) &&
         std::none_of(all.begin(), all.end(), [&](char32_t c) { return other(c) || unicode::is_title(c); });
}

}  // namespace

bool test_boolean(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("boolean", args);
  return input.as_bool() != nullptr;
}

bool test_callable(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("callable", args);
  return input.as_callable() || input.as_loop() || input.is_undefined();
}

bool test_defined(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("defined", args);
  return !input.is_undefined();
}

bool test_undefined(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("undefined", args);
  return input.is_undefined();
}

bool test_divisibleby(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("divisibleby", args, {"num"}, 1);
  return remainder_is(interpreter, input, bound.get(0), 0);
}

bool test_even(Interpreter& interpreter, const Value& input, CallArgs& args) {
  no_arguments("even", args);
  return remainder_is(interpreter, input, Value::integer(2), 0);
}

bool test_odd(Interpreter& interpreter, const Value& input, CallArgs& args) {
  no_arguments("odd", args);
  return remainder_is(interpreter, input, Value::integer(2), 1);
}

bool test_eq(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "eq", CompareOp::kEqual);
}

bool test_ne(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "ne", CompareOp::kNotEqual);
}

bool test_lt(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "lt", CompareOp::kLess);
}

bool test_le(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "le", CompareOp::kLessEqual);
}

bool test_gt(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "gt", CompareOp::kGreater);
}

bool test_ge(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "ge", CompareOp::kGreaterEqual);
}

bool test_in(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return compared(interpreter, input, args, "in", CompareOp::kIn);
}

bool test_escaped(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("escaped", args);
  return input.as_text() && input.as_text()->markup;
}

bool test_true(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("true", args);
  return input.as_bool() && *input.as_bool();
}

bool test_false(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("false", args);
  return input.as_bool() && !*input.as_bool();
}

bool test_filter(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("filter", args);
  return input.as_text() && find_filter(input.as_text()->bytes);
}

bool test_test(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("test", args);
  return input.as_text() && find_test(input.as_text()->bytes);
}

bool test_float(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("float", args);
  return input.as_real() != nullptr;
}

bool test_integer(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("integer", args);
  return input.as_integer() != nullptr;
}

bool test_number(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("number", args);
  return input.is_number();
}

bool test_iterable(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("iterable", args);
  return is_iterable(input);
}

bool test_lower(Interpreter& interpreter, const Value& input, CallArgs& args) {
  no_arguments("lower", args);
  return all_cased(interpreter.string_of(input), unicode::is_lower, unicode::is_upper);
}

bool test_upper(Interpreter& interpreter, const Value& input, CallArgs& args) {
  no_arguments("upper", args);
  return all_cased(interpreter.string_of(input), unicode::is_upper, unicode::is_lower);
}

bool test_mapping(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("mapping", args);
  return input.as_dict() != nullptr;
}

bool test_none(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("none", args);
  return input.is_none();
}

bool test_sameas(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments bound("sameas", args, {"other"}, 1);
  return input.same(bound.get(0));
}

// What has a length and subscripts in Python.
bool test_sequence(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("sequence", args);
  return input.as_text() || input.as_list_or_tuple() || input.as_dict() || input.as_range() || input.is_undefined();
}

bool test_string(Interpreter&, const Value& input, CallArgs& args) {
  no_arguments("string", args);
  return input.as_text() != nullptr;
}

}  // namespace minfer::jinja
