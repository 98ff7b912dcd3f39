// Filters on numbers and conversions to them.
#include <charconv>
#include <cmath>
#include <limits>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/number_text.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {
namespace {

std::optional<int64_t> truncated(double value) {
  if (std::isinf(value)) fail_render("cannot convert float infinity to integer");
  if (std::isnan(value)) return std::nullopt;
  if (std::abs(value) >= 9223372036854775808.0) fail_render("an integer does not fit in 64 bits");
  return static_cast<int64_t>(value);
}

double rounded(double value, int64_t digits) {
  if (!std::isfinite(value) || digits > 308) return value;
  if (digits < -308) return 0.0 * value;
  if (digits >= 0) {
    // The decimal text is rounded from the exact value, ties to even, as Python's round is.
    const std::string text = fmt::format("{:.{}f}", value, digits);
    double out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }
  const double unit = std::pow(10.0, static_cast<double>(-digits));
  return std::nearbyint(value / unit) * unit;
}

Value round_whole(int64_t value, int64_t digits) {
  if (digits >= 0) return Value::integer(value);
  if (digits < -18) return Value::integer(0);
  int64_t unit = 1;
  for (int64_t i = digits; i < 0; ++i) unit *= 10;
  const int64_t rest = ((value % unit) + unit) % unit;
  const bool up = rest * 2 > unit || (rest * 2 == unit && ((value - rest) / unit) % 2 != 0);
  return Value::integer(value - rest + (up ? unit : 0));
}

}  // namespace

Value filter_abs(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments none("abs", args, {});
  require_defined(input);
  if (const double* d = input.as_real()) return Value::real(std::abs(*d));
  const auto i = whole(input);
  if (!i) fail_render("bad operand type for abs(): '{}'", type_name(input));
  if (*i == std::numeric_limits<int64_t>::min()) fail_render("an integer does not fit in 64 bits");
  return Value::integer(*i < 0 ? -*i : *i);
}

Value filter_int(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("int", args, {"default", "base"});
  require_defined(input);
  const Value fallback = bound.get_or(0, Value::integer(0));
  if (const auto i = whole(input)) return Value::integer(*i);
  std::optional<int64_t> out;
  if (const TextData* text = input.as_text()) {
    interpreter.walk(input);
    out = parse_integer(text->bytes, bound.integer(1, 10));
    if (!out) {
      const auto real = parse_real(text->bytes);
      if (real && std::isfinite(*real)) out = truncated(*real);
    }
  } else if (const double* d = input.as_real()) {
    out = truncated(*d);
  }
  return out ? Value::integer(*out) : fallback;
}

Value filter_float(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("float", args, {"default"});
  require_defined(input);
  if (const auto d = number(input)) return Value::real(*d);
  interpreter.walk(input);
  const auto parsed = input.as_text() ? parse_real(input.as_text()->bytes) : std::nullopt;
  return parsed ? Value::real(*parsed) : bound.get_or(0, Value::real(0.0));
}

Value filter_round(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments bound("round", args, {"precision", "method"});
  require_defined(input);
  const std::string method = bound.has(1) ? bound.text(1) : "common";
  const int64_t precision = bound.integer(0, 0);
  if (method != "common" && method != "ceil" && method != "floor") fail_render("method must be common, ceil or floor");
  const auto value = number(input);
  if (!value) fail_render("type {} doesn't define __round__ method", type_name(input));
  if (method == "common") {
    const auto i = whole(input);
    return i ? round_whole(*i, precision) : Value::real(rounded(*value, precision));
  }
  const double unit = std::pow(10.0, static_cast<double>(precision));
  return Value::real((method == "ceil" ? std::ceil(*value * unit) : std::floor(*value * unit)) / unit);
}

}  // namespace minfer::jinja
