// Attributes, subscripts and slices, with the precedence of jinja2's sandbox: object.name looks for a Python attribute
// first and then for an item; object['name'] the other way round.
#include <algorithm>

#include "text/chat_template/builtins.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

std::string object_name(const Value& object) {
  if (object.is_none()) return "None";
  if (object.as_namespace()) return "jinja2.utils.Namespace object";
  if (object.as_loop()) return "jinja2.runtime.LoopContext object";
  if (object.as_text() && object.as_text()->markup) return "markupsafe.Markup object";
  return fmt::format("{} object", type_name(object));
}

Value missing_attribute(const Value& object, std::string_view name) {
  std::string message = fmt::format("'{}' has no attribute ", object_name(object));
  append_quoted(message, name);
  return Value::undefined(std::move(message));
}

Value unsafe_attribute(const Value& object, std::string_view name) {
  return Value::undefined(fmt::format("access to attribute '{}' of '{}' object is unsafe.", name, type_name(object)));
}

// getattr(object, name); empty when there is no such attribute.
std::optional<Value> python_attribute(const Value& object, std::string_view name) {
  if (NamespaceData* data = object.as_namespace()) {
    for (const auto& [key, value] : data->attributes) {
      if (key == name) return value;
    }
    return std::nullopt;
  }
  if (Loop* loop = object.as_loop()) return loop->attribute(name, object);
  if (is_mutating_method(object, name)) return unsafe_attribute(object, name);
  const FilterFunction method = find_method(object, name);
  if (method) {
    const auto bound = [object, method](Interpreter& interpreter, CallArgs& args) {
      return method(interpreter, object, args);
    };
    return Value::callable(fmt::format("built-in method {} of {} object", name, type_name(object)), bound,
                           object.extent().depth + 1);
  }
  if (is_unsupported_method(object, name)) {
    fail_unsupported("unsupported Python {} method `{}`", type_name(object), name);
  }
  const bool is_dunder = name.size() > 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__";
  if (is_dunder) return unsafe_attribute(object, name);
  return std::nullopt;
}

// object[key]; empty where Python raises a TypeError or LookupError.
std::optional<Value> python_item(const Value& object, const Value& key) {
  if (const DictData* dict = object.as_dict()) {
    if (key.as_list() || key.as_dict()) return std::nullopt;
    const Value* value = dict->find(key);
    return value ? std::optional<Value>(*value) : std::nullopt;
  }
  const auto index = whole(key);
  const bool is_sequence = object.as_text() || object.as_list_or_tuple() || object.as_range();
  if (!index || !is_sequence) return std::nullopt;
  const int64_t n = length_of(object);
  const int64_t i = *index < 0 ? *index + n : *index;
  if (i < 0 || i >= n) return std::nullopt;
  if (const List* items = object.as_list_or_tuple()) return (*items)[static_cast<size_t>(i)];
  if (const RangeData* range = object.as_range()) return Value::integer(range->at(i));
  const std::string& bytes = object.as_text()->bytes;
  if (unicode::is_ascii(bytes)) return Value::text(bytes.substr(static_cast<size_t>(i), 1));
  return Value::text(unicode::encode(unicode::decode(bytes).substr(static_cast<size_t>(i), 1)));
}

// The indexes of a slice, clamped as Python's slice.indices does.
struct SliceRange {
  int64_t start, count, step;
};

SliceRange resolve(const Value& start, const Value& stop, const Value& step, int64_t n) {
  const auto bound = [](const Value& v) -> std::optional<int64_t> {
    if (v.is_none()) return std::nullopt;
    require_defined(v);
    const auto i = whole(v);
    if (!i) fail_render("slice indices must be integers or None or have an __index__ method");
    return i;
  };
  const int64_t by = bound(step).value_or(1);
  if (by == 0) fail_render("slice step cannot be zero");
  const int64_t low = by < 0 ? -1 : 0;
  const int64_t high = by < 0 ? n - 1 : n;
  const auto clamp = [&](int64_t i) { return std::clamp(i < 0 ? std::max(i, -n - 1) + n : i, low, high); };
  const auto first = bound(start);
  const auto last = bound(stop);
  const int64_t from = first ? clamp(*first) : (by < 0 ? high : low);
  const int64_t to = last ? clamp(*last) : (by < 0 ? low : high);
  const int64_t distance = by < 0 ? from - to : to - from;
  // A step beyond the length takes one item; the smaller value avoids overflow.
  const int64_t stride = by < 0 ? (by < -n ? n + 1 : -by) : std::min(by, n + 1);
  return {from, distance <= 0 ? 0 : (distance - 1) / stride + 1, by < 0 ? -stride : stride};
}

Value slice_text(Interpreter& interpreter, const TextData& text, const SliceRange& range) {
  if (unicode::is_ascii(text.bytes)) {
    if (range.step == 1) {
      return interpreter.text(text.bytes.substr(static_cast<size_t>(range.start), static_cast<size_t>(range.count)),
                              text.markup);
    }
    std::string out;
    for (int64_t i = 0; i < range.count; ++i) out += text.bytes[static_cast<size_t>(range.start + i * range.step)];
    return interpreter.text(std::move(out), text.markup);
  }
  const std::u32string all = unicode::decode(text.bytes);
  std::string out;
  for (int64_t i = 0; i < range.count; ++i)
    unicode::append(out, all[static_cast<size_t>(range.start + i * range.step)]);
  return interpreter.text(std::move(out), text.markup);
}

}  // namespace

Value attribute(const Value& object, std::string_view name) {
  require_defined(object);
  if (auto value = python_attribute(object, name)) return *value;
  if (const DictData* dict = object.as_dict()) {
    if (const Value* value = dict->find(name)) return *value;
  }
  return missing_attribute(object, name);
}

Value subscript(Interpreter& interpreter, const Value& object, const Value& key) {
  require_defined(object);
  if (object.as_text()) interpreter.walk(object);
  if (auto value = python_item(object, key)) return *value;
  if (const TextData* name = key.as_text()) {
    if (auto value = python_attribute(object, name->bytes)) return *value;
    return missing_attribute(object, name->bytes);
  }
  return Value::undefined(fmt::format("{} has no element {}", object_name(object), repr(key)));
}

Value slice(Interpreter& interpreter, const Value& object, const Value& start, const Value& stop, const Value& step) {
  require_defined(object);
  const List* items = object.as_list_or_tuple();
  if (!items && !object.as_text() && !object.as_range()) {
    if (object.as_dict()) fail_render("unhashable type: 'slice'");
    fail_render("'{}' object is not subscriptable", type_name(object));
  }
  const SliceRange range = resolve(start, stop, step, length_of(object));
  interpreter.walk(object);
  if (const TextData* text = object.as_text()) return slice_text(interpreter, *text, range);
  if (const RangeData* r = object.as_range()) {
    return Value::range({r->at(range.start), r->step * range.step, range.count});
  }
  List out;
  for (int64_t i = 0; i < range.count; ++i) out.push_back((*items)[static_cast<size_t>(range.start + i * range.step)]);
  interpreter.made(out.size() * sizeof(Value));
  return object.as_list() ? Value::list(std::move(out)) : Value::tuple(std::move(out));
}

std::string escaped_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '\'': out += "&#39;"; break;
      case '"': out += "&#34;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escaped(const Value& value) {
  const TextData* text = value.as_text();
  if (text && text->markup) return text->bytes;
  return escaped_text(to_text(value));
}

}  // namespace minfer::jinja
