// Python's operators on values: arithmetic, order, membership, subscripts and attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/chat_template/tree.h"
#include "text/chat_template/value.h"

namespace minfer::jinja {

// "+", "//", …
std::string_view symbol(BinaryOp op);

Value binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b);
Value negate(const Value& value, UnaryOp op);

// a < b, with Python's refusals of values without an order.
bool less(const Value& a, const Value& b);
bool compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b);
bool contains(Interpreter& interpreter, const Value& container, const Value& item);

// Python's whole numbers: int and bool. Null for others.
std::optional<int64_t> whole(const Value& value);
std::optional<double> number(const Value& value);  // int, bool, float

// object.name and object[key] as jinja2's sandbox resolves them.
Value attribute(const Value& object, std::string_view name);
Value subscript(Interpreter& interpreter, const Value& object, const Value& key);
Value slice(Interpreter& interpreter, const Value& object, const Value& start, const Value& stop, const Value& step);

// Fails with the message that an undefined value carries; does nothing for others.
void require_defined(const Value& value);

// `value` joined to markup text: with & < > ' " replaced, unless it is markup itself.
std::string escaped(const Value& value);
std::string escaped_text(std::string_view text);

}  // namespace minfer::jinja
