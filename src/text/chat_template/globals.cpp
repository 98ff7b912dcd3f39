// Global functions: range, dict, namespace, joiner, raise_exception, strftime_now.
#include <algorithm>
#include <array>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtins.h"
#include "text/chat_template/clock.h"
#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {
namespace {

constexpr int64_t kMaxRangeEnd = int64_t{1} << 61;

Value make_range(Interpreter&, CallArgs& args) {
  if (!args.named.empty()) fail_render("range() takes no keyword arguments");
  const size_t n = args.positional.size();
  if (n == 0 || n > 3) fail_render("range expected 1 to 3 arguments, got {}", n);
  const Arguments bound("range", args, {"start", "stop", "step"}, n);
  const int64_t start = n == 1 ? 0 : bound.integer(0, 0);
  const int64_t stop = bound.integer(n == 1 ? 0 : 1, 0);
  const int64_t step = bound.integer(2, 1);
  if (step == 0) fail_render("range() arg 3 must not be zero");
  for (const int64_t i : {start, stop, step}) {
    if (i > kMaxRangeEnd || i < -kMaxRangeEnd) fail_render("range(): {} is too large", i);
  }
  const int64_t distance = step > 0 ? stop - start : start - stop;
  const int64_t stride = step > 0 ? step : -step;
  const int64_t count = distance <= 0 ? 0 : (distance - 1) / stride + 1;
  if (count > kMaxRange) {
    fail_render("Range too big. The sandbox blocks ranges larger than MAX_RANGE ({}).", kMaxRange);
  }
  return Value::range({start, step, count});
}

// Entries of dict(…) and namespace(…): one mapping or sequence of pairs, then keywords.
std::vector<std::pair<Value, Value>> entries_of(Interpreter& interpreter, CallArgs& args, std::string_view name) {
  if (args.positional.size() > 1) fail_render("{} expected at most 1 argument, got {}", name, args.positional.size());
  std::vector<std::pair<Value, Value>> out;
  const auto put = [&](const Value& key, Value value) {
    require_hashable(key);
    interpreter.step(1 + out.size() / 8);
    interpreter.made(2 * sizeof(Value));
    const auto old = std::find_if(out.begin(), out.end(), [&](const auto& entry) { return equal(entry.first, key); });
    if (old != out.end()) {
      old->second = std::move(value);
    } else {
      out.emplace_back(key, std::move(value));
    }
  };
  if (!args.positional.empty()) {
    const Value& source = args.positional[0];
    if (const DictData* dict = source.as_dict()) {
      out = dict->entries;
    } else {
      Cursor cursor(source);
      Value item;
      while (cursor.next(item)) {
        const List pair = interpreter.items_of(item);
        if (pair.size() != 2)
          fail_render("dictionary update sequence element has length {}; 2 is required", pair.size());
        put(pair[0], pair[1]);
      }
    }
  }
  for (auto& [key, value] : args.named) put(Value::text(key), std::move(value));
  return out;
}

Value make_dict(Interpreter& interpreter, CallArgs& args) {
  return Value::dict(entries_of(interpreter, args, "dict"));
}

Value make_namespace(Interpreter& interpreter, CallArgs& args) {
  std::vector<std::pair<std::string, Value>> attributes;
  for (auto& [key, value] : entries_of(interpreter, args, "namespace")) {
    if (!key.as_text()) fail_render("attribute names of a namespace must be strings");
    const std::string& name = key.as_text()->bytes;
    if (name.starts_with("_")) {
      fail_render("a chat template may not store the attribute '{}', which starts with an underscore", name);
    }
    attributes.emplace_back(name, std::move(value));
  }
  return interpreter.new_namespace(std::move(attributes));
}

Value raise_exception(Interpreter& interpreter, CallArgs& args) {
  const Arguments bound("raise_exception", args, {"message"}, 1);
  throw Failure{TemplateErrorKind::kRender, interpreter.string_of(bound.get(0)), true};
}

Value strftime_now(Interpreter& interpreter, CallArgs& args) {
  const Arguments bound("strftime_now", args, {"format"}, 1);
  return interpreter.text(format_time(interpreter.now(), bound.text(0)));
}

// A function that gives nothing the first time and the separator ever after.
Value make_joiner(Interpreter&, CallArgs& args) {
  const Arguments bound("joiner", args, {"sep"});
  const Value separator = bound.get_or(0, Value::text(", "));
  const auto used = std::make_shared<bool>(false);
  const auto call = [separator, used](Interpreter&, CallArgs& inner) {
    const Arguments none("joiner", inner, {});
    return std::exchange(*used, true) ? separator : Value::text("");
  };
  return Value::callable("joiner", call, separator.extent().depth + 1);
}

struct Global {
  std::string_view name;
  Value (*call)(Interpreter&, CallArgs&);
};

constexpr std::array<Global, 6> kGlobals = {{{"dict", make_dict},
                                             {"joiner", make_joiner},
                                             {"namespace", make_namespace},
                                             {"raise_exception", raise_exception},
                                             {"range", make_range},
                                             {"strftime_now", strftime_now}}};

}  // namespace

Value find_global(std::string_view name, bool& found) {
  if (name == "cycler" || name == "lipsum") fail_unsupported("the global function '{}'", name);
  const auto* row = std::find_if(kGlobals.begin(), kGlobals.end(), [&](const Global& g) { return g.name == name; });
  found = row != kGlobals.end();
  return found ? Value::callable(fmt::format("function {}", name), row->call) : Value::none();
}

}  // namespace minfer::jinja
