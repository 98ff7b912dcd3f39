// Arithmetic with Python's rules: floor division, float when an operand is one, 64-bit integers checked for overflow.
#include <cmath>
#include <limits>

#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"

namespace minfer::jinja {

std::string_view symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return "+";
    case BinaryOp::kSubtract: return "-";
    case BinaryOp::kMultiply: return "*";
    case BinaryOp::kDivide: return "/";
    case BinaryOp::kFloorDivide: return "//";
    case BinaryOp::kModulo: return "%";
    case BinaryOp::kPower: return "** or pow()";
  }
  return "?";
}

namespace {

[[noreturn]] void fail_overflow() {
  fail_render("an integer does not fit in 64 bits");
}

int64_t floor_divide(int64_t a, int64_t b) {
  if (b == 0) fail_render("integer division or modulo by zero");
  if (a == std::numeric_limits<int64_t>::min() && b == -1) fail_overflow();
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t modulo(int64_t a, int64_t b) {
  if (b == 0) fail_render("integer division or modulo by zero");
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_modulo(double a, double b) {
  if (b == 0) fail_render("float modulo");
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_floor_divide(double a, double b) {
  if (b == 0) fail_render("float floor division by zero");
  const double quotient = (a - float_modulo(a, b)) / b;
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

Value integer_power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) fail_render("0.0 cannot be raised to a negative power");
    return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) fail_overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) fail_overflow();
  }
  return Value::integer(result);
}

double float_power(double base, double exponent) {
  if (base == 0 && exponent < 0) fail_render("0.0 cannot be raised to a negative power");
  if (base < 0 && std::floor(exponent) != exponent) fail_unsupported("a power that is a complex number");
  return std::pow(base, exponent);
}

Value integers(BinaryOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case BinaryOp::kAdd:
      if (__builtin_add_overflow(a, b, &result)) fail_overflow();
      return Value::integer(result);
    case BinaryOp::kSubtract:
      if (__builtin_sub_overflow(a, b, &result)) fail_overflow();
      return Value::integer(result);
    case BinaryOp::kMultiply:
      if (__builtin_mul_overflow(a, b, &result)) fail_overflow();
      return Value::integer(result);
    case BinaryOp::kDivide:
      if (b == 0) fail_render("division by zero");
      return Value::real(static_cast<double>(a) / static_cast<double>(b));
    case BinaryOp::kFloorDivide: return Value::integer(floor_divide(a, b));
    case BinaryOp::kModulo: return Value::integer(modulo(a, b));
    case BinaryOp::kPower: return integer_power(a, b);
  }
  return {};
}

double reals(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSubtract: return a - b;
    case BinaryOp::kMultiply: return a * b;
    case BinaryOp::kDivide:
      if (b == 0) fail_render("float division by zero");
      return a / b;
    case BinaryOp::kFloorDivide: return float_floor_divide(a, b);
    case BinaryOp::kModulo: return float_modulo(a, b);
    case BinaryOp::kPower: return float_power(a, b);
  }
  return 0;
}

Value add_texts(Interpreter& interpreter, const Value& a, const Value& b) {
  const bool markup = a.as_text()->markup || b.as_text()->markup;
  if (!markup) return interpreter.text(a.as_text()->bytes + b.as_text()->bytes);
  return interpreter.text(escaped(a) + escaped(b), true);
}

Value add_lists(Interpreter& interpreter, const List& a, const List& b, bool as_tuple) {
  interpreter.made((a.size() + b.size()) * sizeof(Value));
  List out = a;
  out.insert(out.end(), b.begin(), b.end());
  return as_tuple ? Value::tuple(std::move(out)) : Value::list(std::move(out));
}

// text * n, list * n. Charged before anything is made.
Value repeat(Interpreter& interpreter, const Value& value, int64_t times) {
  const uint64_t n = times < 0 ? 0 : static_cast<uint64_t>(times);
  const TextData* text = value.as_text();
  const List* items = value.as_list_or_tuple();
  const uint64_t unit = text ? text->bytes.size() : items->size() * sizeof(Value);
  uint64_t total = 0;
  if (__builtin_mul_overflow(unit, n, &total)) fail_render("a repetition is too long");
  interpreter.made(total);
  if (text) {
    std::string out;
    out.reserve(total);
    for (uint64_t i = 0; i < n && unit > 0; ++i) out += text->bytes;
    return Value::text(std::move(out), text->markup);
  }
  List out;
  for (uint64_t i = 0; i < n && unit > 0; ++i) out.insert(out.end(), items->begin(), items->end());
  return value.as_list() ? Value::list(std::move(out)) : Value::tuple(std::move(out));
}

bool is_repeatable(const Value& value) {
  return value.as_text() || value.as_list_or_tuple();
}

[[noreturn]] void fail_operands(BinaryOp op, const Value& a, const Value& b) {
  if (op == BinaryOp::kAdd && a.as_text()) {
    fail_render("can only concatenate str (not \"{}\") to str", type_name(b));
  }
  if (op == BinaryOp::kAdd && a.as_list_or_tuple()) {
    fail_render("can only concatenate {} (not \"{}\") to {}", type_name(a), type_name(b), type_name(a));
  }
  if (op == BinaryOp::kMultiply && (is_repeatable(a) || is_repeatable(b))) {
    fail_render("can't multiply sequence by non-int of type '{}'", type_name(is_repeatable(a) ? b : a));
  }
  fail_render("unsupported operand type(s) for {}: '{}' and '{}'", symbol(op), type_name(a), type_name(b));
}

}  // namespace

std::optional<int64_t> whole(const Value& value) {
  if (const bool* b = value.as_bool()) return *b ? 1 : 0;
  if (const int64_t* i = value.as_integer()) return *i;
  return std::nullopt;
}

std::optional<double> number(const Value& value) {
  if (const double* d = value.as_real()) return *d;
  if (const auto i = whole(value)) return static_cast<double>(*i);
  return std::nullopt;
}

void require_defined(const Value& value) {
  if (const UndefinedData* data = value.as_undefined()) fail_render("{}", data->message);
}

Value binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b) {
  if (op == BinaryOp::kModulo && a.as_text()) return percent_format(interpreter, a, b);
  require_defined(a);
  require_defined(b);
  if (op == BinaryOp::kAdd && a.as_text() && b.as_text()) return add_texts(interpreter, a, b);
  const auto a_whole = whole(a);
  const auto b_whole = whole(b);
  if (a_whole && b_whole) return integers(op, *a_whole, *b_whole);
  if (number(a) && number(b)) return Value::real(reals(op, *number(a), *number(b)));
  if (op == BinaryOp::kAdd && a.as_list() && b.as_list())
    return add_lists(interpreter, *a.as_list(), *b.as_list(), false);
  if (op == BinaryOp::kAdd && a.as_tuple() && b.as_tuple()) {
    return add_lists(interpreter, *a.as_tuple(), *b.as_tuple(), true);
  }
  if (op == BinaryOp::kMultiply && is_repeatable(a) && b_whole) return repeat(interpreter, a, *b_whole);
  if (op == BinaryOp::kMultiply && is_repeatable(b) && a_whole) return repeat(interpreter, b, *a_whole);
  fail_operands(op, a, b);
}

Value negate(const Value& value, UnaryOp op) {
  if (op == UnaryOp::kNot) return Value::boolean(!value.truth());
  require_defined(value);
  const bool minus = op == UnaryOp::kNegate;
  if (const auto i = whole(value)) {
    if (minus && *i == std::numeric_limits<int64_t>::min()) fail_overflow();
    return Value::integer(minus ? -*i : *i);
  }
  if (const double* d = value.as_real()) return Value::real(minus ? -*d : *d);
  fail_render("bad operand type for unary {}: '{}'", minus ? "-" : "+", type_name(value));
}

}  // namespace minfer::jinja
