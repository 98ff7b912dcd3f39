// Order and membership.
#include <algorithm>

#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {
namespace {

bool less_items(const List& a, const List& b) {
  const size_t n = std::min(a.size(), b.size());
  for (size_t i = 0; i < n; ++i) {
    if (!equal(a[i], b[i])) return less(a[i], b[i]);
  }
  return a.size() < b.size();
}

void require_order(const Value& a, const Value& b, std::string_view symbol) {
  require_defined(a);
  require_defined(b);
  const bool comparable = (a.is_number() && b.is_number()) || (a.as_text() && b.as_text()) ||
                          (a.as_list() && b.as_list()) || (a.as_tuple() && b.as_tuple());
  if (comparable) return;
  fail_render("'{}' not supported between instances of '{}' and '{}'", symbol, type_name(a), type_name(b));
}

bool less_numbers(const Value& a, const Value& b) {
  const auto x = whole(a);
  const auto y = whole(b);
  return x && y ? *x < *y : *number(a) < *number(b);
}

bool any_equal(Interpreter& interpreter, const Value& container, const Value& item) {
  Cursor cursor(container);
  Value candidate;
  while (cursor.next(candidate)) {
    interpreter.walk(candidate);
    if (equal(candidate, item)) return true;
  }
  return false;
}

}  // namespace

bool less(const Value& a, const Value& b) {
  require_order(a, b, "<");
  if (a.is_number()) return less_numbers(a, b);
  if (a.as_text()) return a.as_text()->bytes < b.as_text()->bytes;
  return less_items(*a.as_list_or_tuple(), *b.as_list_or_tuple());
}

bool compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b) {
  if (op == CompareOp::kIn) return contains(interpreter, b, a);
  if (op == CompareOp::kNotIn) return !contains(interpreter, b, a);
  interpreter.step(std::min(a.extent().weight, b.extent().weight));
  switch (op) {
    case CompareOp::kEqual: return equal(a, b);
    case CompareOp::kNotEqual: return !equal(a, b);
    case CompareOp::kLess: require_order(a, b, "<"); return less(a, b);
    case CompareOp::kLessEqual: require_order(a, b, "<="); return less(a, b) || equal(a, b);
    case CompareOp::kGreater: require_order(a, b, ">"); return less(b, a);
    case CompareOp::kGreaterEqual: require_order(a, b, ">="); return less(b, a) || equal(a, b);
    default: return false;
  }
}

bool contains(Interpreter& interpreter, const Value& container, const Value& item) {
  if (const TextData* text = container.as_text()) {
    const TextData* part = item.as_text();
    if (!part) fail_render("'in <string>' requires string as left operand, not {}", type_name(item));
    interpreter.walk(container);
    return text->bytes.find(part->bytes) != text->bytes.npos;
  }
  if (const DictData* dict = container.as_dict()) {
    interpreter.step(dict->entries.size() / 8);
    return dict->find(item) != nullptr;
  }
  if (!is_iterable(container)) fail_render("argument of type '{}' is not iterable", type_name(container));
  return any_equal(interpreter, container, item);
}

}  // namespace minfer::jinja
