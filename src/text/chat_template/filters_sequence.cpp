// Filters on sequences: ends, order, groups of fixed size.
#include <algorithm>

#include "text/chat_template/arguments.h"
#include "text/chat_template/attribute_path.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

bool less_counted(Interpreter& interpreter, const Value& a, const Value& b) {
  interpreter.step(std::min(a.extent().weight, b.extent().weight));
  return less(a, b);
}

// Sorts items by their keys, stably in both directions.
List sorted(Interpreter& interpreter, List items, const List& keys, bool reverse) {
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return reverse ? less_counted(interpreter, keys[b], keys[a]) : less_counted(interpreter, keys[a], keys[b]);
  });
  List out;
  for (const size_t i : order) out.push_back(items[i]);
  return out;
}

// The key of sort: one part per comma of the attribute.
Value sort_key(Interpreter& interpreter, const Value& item, const std::vector<AttributePath>& paths, bool with_case) {
  List parts;
  for (const AttributePath& path : paths) {
    Value part = path.of(interpreter, item);
    parts.push_back(with_case ? std::move(part) : without_case(interpreter, part));
  }
  return Value::list(std::move(parts));
}

std::vector<AttributePath> sort_paths(const Value& attribute) {
  const TextData* text = attribute.as_text();
  if (!text) return {AttributePath(attribute)};
  std::vector<AttributePath> paths;
  std::string_view rest = text->bytes;
  while (true) {
    const size_t comma = rest.find(',');
    paths.emplace_back(Value::text(std::string(rest.substr(0, comma))));
    if (comma == rest.npos) return paths;
    rest.remove_prefix(comma + 1);
  }
}

Value extreme(Interpreter& interpreter, const Value& input, CallArgs& args, bool largest) {
  const Arguments bound(largest ? "max" : "min", args, {"case_sensitive", "attribute"});
  const bool with_case = bound.flag(0, false);
  const AttributePath path(bound.get_or(1, Value::none()));
  std::optional<Value> best, best_key;
  for (const Value& item : interpreter.items_of(input)) {
    Value key = path.of(interpreter, item);
    if (!with_case) key = without_case(interpreter, key);
    const bool better =
        !best || (largest ? less_counted(interpreter, *best_key, key) : less_counted(interpreter, key, *best_key));
    if (!better) continue;
    best = item;
    best_key = std::move(key);
  }
  return best ? *best : Value::undefined("No aggregated item, sequence was empty.");
}

}  // namespace

Value filter_first(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments none("first", args, {});
  Cursor cursor(input);
  Value item;
  return cursor.next(item) ? item : Value::undefined("No first item, sequence was empty.");
}

Value filter_last(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("last", args, {});
  if (input.as_iterator()) fail_render("'generator' object is not reversible");
  const List items = interpreter.items_of(input);
  return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value filter_length(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("length", args, {});
  if (input.as_text()) interpreter.walk(input);
  return Value::integer(length_of(input));
}

Value filter_list(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("list", args, {});
  return Value::list(interpreter.items_of(input));
}

Value filter_join(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("join", args, {"d", "attribute"});
  const std::string separator = bound.has(0) ? interpreter.string_of(bound.get(0)) : "";
  const AttributePath path(bound.get_or(1, Value::none()));
  std::string out;
  bool first = true;
  Cursor cursor(input);
  Value item;
  while (cursor.next(item)) {
    if (!first) {
      interpreter.made(separator.size());
      out += separator;
    }
    first = false;
    interpreter.step();
    out += interpreter.string_of(path.of(interpreter, item));
  }
  return interpreter.text(std::move(out));
}

Value filter_reverse(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments none("reverse", args, {});
  if (const TextData* text = input.as_text()) {
    std::u32string all = unicode::decode(text->bytes);
    std::reverse(all.begin(), all.end());
    return interpreter.text(unicode::encode(all), text->markup);
  }
  if (!is_iterable(input)) fail_render("argument must be iterable");
  List items = interpreter.items_of(input);
  std::reverse(items.begin(), items.end());
  if (input.as_iterator()) return interpreter.list(std::move(items));
  const auto cursor = std::make_shared<Cursor>(Value::list(std::move(items)));
  return Value::iterator(input, [cursor](Value& item) { return cursor->next(item); });
}

Value filter_sort(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("sort", args, {"reverse", "case_sensitive", "attribute"});
  const std::vector<AttributePath> paths = sort_paths(bound.get_or(2, Value::none()));
  List items = interpreter.items_of(input);
  List keys;
  for (const Value& item : items) keys.push_back(sort_key(interpreter, item, paths, bound.flag(1, false)));
  return interpreter.list(sorted(interpreter, std::move(items), keys, bound.flag(0, false)));
}

Value filter_dictsort(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("dictsort", args, {"case_sensitive", "by", "reverse"});
  const std::string by = bound.has(1) ? bound.text(1) : "key";
  if (by != "key" && by != "value") fail_render("You can only sort by either \"key\" or \"value\"");
  require_defined(input);
  const DictData* dict = input.as_dict();
  if (!dict) fail_render("'{} object' has no attribute 'items'", type_name(input));
  List items, keys;
  for (const auto& [key, value] : dict->entries) {
    items.push_back(Value::tuple({key, value}));
    const Value& chosen = by == "key" ? key : value;
    keys.push_back(bound.flag(0, false) ? chosen : without_case(interpreter, chosen));
  }
  return interpreter.list(sorted(interpreter, std::move(items), keys, bound.flag(2, false)));
}

Value filter_min(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return extreme(interpreter, input, args, false);
}

Value filter_max(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return extreme(interpreter, input, args, true);
}

Value filter_sum(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("sum", args, {"attribute", "start"});
  const AttributePath path(bound.get_or(0, Value::none()));
  Value total = bound.get_or(1, Value::integer(0));
  if (total.as_text()) fail_render("sum() can't sum strings [use ''.join(seq) instead]");
  for (const Value& item : interpreter.items_of(input)) {
    total = binary(interpreter, BinaryOp::kAdd, total, path.of(interpreter, item));
  }
  return total;
}

Value filter_batch(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("batch", args, {"linecount", "fill_with"}, 1);
  const int64_t size = bound.integer(0, 0);
  List batches, batch;
  for (Value& item : interpreter.items_of(input)) {
    if (static_cast<int64_t>(batch.size()) == size) batches.push_back(interpreter.list(std::exchange(batch, {})));
    batch.push_back(std::move(item));
  }
  if (!batch.empty()) {
    while (bound.given(1) && static_cast<int64_t>(batch.size()) < size) {
      interpreter.made(sizeof(Value));
      batch.push_back(bound.get(1));
    }
    batches.push_back(interpreter.list(std::move(batch)));
  }
  const auto cursor = std::make_shared<Cursor>(Value::list(std::move(batches)));
  return Value::iterator(input, [cursor](Value& item) { return cursor->next(item); });
}

Value filter_slice(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("slice", args, {"slices", "fill_with"}, 1);
  const int64_t slices = bound.integer(0, 0);
  const List items = interpreter.items_of(input);
  const auto n = static_cast<int64_t>(items.size());
  if (slices == 0) fail_render("integer division or modulo by zero");
  List out;
  int64_t begin = 0;
  for (int64_t i = 0; i < slices; ++i) {
    const bool longer = i < n % slices;
    const int64_t end = begin + n / slices + (longer ? 1 : 0);
    List part(items.begin() + begin, items.begin() + end);
    if (bound.given(1) && !longer) part.push_back(bound.get(1));
    out.push_back(interpreter.list(std::move(part)));
    interpreter.made(64);
    begin = end;
  }
  const auto cursor = std::make_shared<Cursor>(Value::list(std::move(out)));
  return Value::iterator(input, [cursor](Value& item) { return cursor->next(item); });
}

}  // namespace minfer::jinja
