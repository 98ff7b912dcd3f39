// Filters that apply something to every item (lazily, as Python generators do), and those on single values of any type.
#include "text/chat_template/arguments.h"
#include "text/chat_template/attribute_path.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/builtins.h"
#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"

namespace minfer::jinja {
namespace {

using Mapping = std::function<Value(Interpreter&, const Value&)>;

Value empty_iterator() {
  return Value::iterator(Value::none(), [](Value&) { return false; });
}

Mapping attribute_mapping(CallArgs args) {
  std::optional<Value> attribute, fallback;
  for (auto& [name, value] : args.named) {
    if (name != "attribute" && name != "default") fail_render("Unexpected keyword argument '{}'", name);
    (name == "attribute" ? attribute : fallback) = std::move(value);
  }
  if (!attribute) fail_render("map requires a filter argument");
  if (fallback && fallback->is_none()) fallback.reset();
  return [path = AttributePath(*attribute), fallback](Interpreter& interpreter, const Value& item) {
    return path.of(interpreter, item, fallback);
  };
}

Mapping filter_mapping(CallArgs args) {
  const TextData* name = args.positional[0].as_text();
  const FilterFunction function = name ? find_filter(name->bytes) : nullptr;
  if (!function) fail_unsupported("No filter named {}.", repr(args.positional[0]));
  args.positional.erase(args.positional.begin());
  return [function, args](Interpreter& interpreter, const Value& item) {
    CallArgs copy = args;
    return function(interpreter, item, copy);
  };
}

// The items for which the test named in args (or their truth) is `wanted`. `by_attribute`: args start with a path.
Value selected(Interpreter& interpreter, const Value& input, CallArgs args, bool by_attribute, bool wanted) {
  if (!input.truth()) return empty_iterator();
  AttributePath path;
  if (by_attribute) {
    if (args.positional.empty()) fail_render("Missing parameter for attribute name");
    path = AttributePath(args.positional[0]);
    args.positional.erase(args.positional.begin());
  }
  TestFunction test = nullptr;
  if (!args.positional.empty()) {
    const TextData* name = args.positional[0].as_text();
    test = name ? find_test(name->bytes) : nullptr;
    if (!test) fail_unsupported("No test named {}.", repr(args.positional[0]));
    args.positional.erase(args.positional.begin());
  }
  const auto cursor = std::make_shared<Cursor>(input);
  return Value::iterator(input, [cursor, path, test, args, wanted, &interpreter](Value& item) {
    while (cursor->next(item)) {
      interpreter.step();
      const Value tested = path.of(interpreter, item);
      CallArgs copy = args;
      if ((test ? test(interpreter, tested, copy) : tested.truth()) == wanted) return true;
    }
    return false;
  });
}

}  // namespace

Value filter_map(Interpreter& interpreter, const Value& input, CallArgs& args) {
  if (!input.truth()) return empty_iterator();
  const Mapping mapping = args.positional.empty() ? attribute_mapping(args) : filter_mapping(args);
  const auto cursor = std::make_shared<Cursor>(input);
  return Value::iterator(input, [cursor, mapping, &interpreter](Value& item) {
    Value source;
    if (!cursor->next(source)) return false;
    interpreter.step();
    item = mapping(interpreter, source);
    return true;
  });
}

Value filter_select(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return selected(interpreter, input, args, false, true);
}

Value filter_reject(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return selected(interpreter, input, args, false, false);
}

Value filter_selectattr(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return selected(interpreter, input, args, true, true);
}

Value filter_rejectattr(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return selected(interpreter, input, args, true, false);
}

Value filter_unique(Interpreter& interpreter, const Value& input, CallArgs& args) {
  const Arguments bound("unique", args, {"case_sensitive", "attribute"});
  const bool with_case = bound.flag(0, false);
  const AttributePath path(bound.get_or(1, Value::none()));
  const auto cursor = std::make_shared<Cursor>(input);
  const auto seen = std::make_shared<List>();
  return Value::iterator(input, [cursor, seen, path, with_case, &interpreter](Value& item) {
    while (cursor->next(item)) {
      Value key = path.of(interpreter, item);
      if (!with_case) key = without_case(interpreter, key);
      require_hashable(key);
      bool known = false;
      for (const Value& other : *seen) {
        interpreter.walk(other);
        known = known || equal(other, key);
      }
      if (known) continue;
      seen->push_back(std::move(key));
      return true;
    }
    return false;
  });
}

Value filter_items(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments none("items", args, {});
  if (input.is_undefined()) return empty_iterator();
  const DictData* dict = input.as_dict();
  if (!dict) fail_render("Can only get item pairs from a mapping.");
  auto next = [input, position = size_t{0}](Value& item) mutable {
    const auto& entries = input.as_dict()->entries;
    if (position >= entries.size()) return false;
    item = Value::tuple({entries[position].first, entries[position].second});
    ++position;
    return true;
  };
  return Value::iterator(input, std::move(next));
}

Value filter_default(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments bound("default", args, {"default_value", "boolean"});
  const bool replaced = input.is_undefined() || (bound.flag(1, false) && !input.truth());
  return replaced ? bound.get_or(0, Value::text("")) : input;
}

// Attributes alone: items of a dict are not looked at.
Value filter_attr(Interpreter&, const Value& input, CallArgs& args) {
  const Arguments bound("attr", args, {"name"}, 1);
  const std::string& name = bound.text(0);
  const bool is_item = input.as_dict() && !find_method(input, name);
  if (is_item) return Value::undefined(fmt::format("'dict object' has no attribute '{}'", name));
  return attribute(input, name);
}

}  // namespace minfer::jinja
