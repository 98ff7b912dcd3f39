// Methods of dict, list and tuple.
#include <algorithm>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/printing.h"

namespace minfer::jinja {
namespace {

template <typename Pick>
Value view_of(Interpreter& interpreter, const Value& self, CallArgs& args, std::string_view method,
              std::string_view type, const Pick& pick) {
  const Arguments none(method, args, {});
  List items;
  for (const auto& entry : self.as_dict()->entries) items.push_back(pick(entry));
  interpreter.made(items.size() * sizeof(Value));
  return Value::view(type, std::move(items));
}

}  // namespace

Value dict_copy(Interpreter&, const Value& self, CallArgs& args) {
  const Arguments none("copy", args, {});
  return self;
}

Value dict_get(Interpreter& interpreter, const Value& self, CallArgs& args) {
  if (!args.named.empty()) fail_render("dict.get() takes no keyword arguments");
  const Arguments bound("get", args, {"key", "default"}, 1);
  interpreter.step(self.as_dict()->entries.size() / 8);
  const Value* found = self.as_dict()->find(bound.get(0));
  return found ? *found : bound.get_or(1, Value::none());
}

Value dict_items(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return view_of(interpreter, self, args, "items", "dict_items", [](const auto& entry) {
    return Value::tuple({entry.first, entry.second});
  });
}

Value dict_keys(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return view_of(interpreter, self, args, "keys", "dict_keys", [](const auto& entry) { return entry.first; });
}

Value dict_values(Interpreter& interpreter, const Value& self, CallArgs& args) {
  return view_of(interpreter, self, args, "values", "dict_values", [](const auto& entry) { return entry.second; });
}

Value sequence_count(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("count", args, {"value"}, 1);
  interpreter.walk(self);
  const List& items = *self.as_list_or_tuple();
  return Value::integer(
      std::count_if(items.begin(), items.end(), [&](const Value& v) { return equal(v, bound.get(0)); }));
}

Value sequence_index(Interpreter& interpreter, const Value& self, CallArgs& args) {
  const Arguments bound("index", args, {"value"}, 1);
  interpreter.walk(self);
  const List& items = *self.as_list_or_tuple();
  const auto found = std::find_if(items.begin(), items.end(), [&](const Value& v) { return equal(v, bound.get(0)); });
  if (found == items.end()) fail_render("{} is not in {}", repr(bound.get(0)), type_name(self));
  return Value::integer(found - items.begin());
}

}  // namespace minfer::jinja
