// Macros and call blocks: binding of arguments as jinja2's Macro does it.
#include <algorithm>

#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"

namespace minfer::jinja {
namespace {

std::optional<Value> take(CallArgs& args, std::string_view name) {
  const auto found =
      std::find_if(args.named.begin(), args.named.end(), [&](const auto& arg) { return arg.first == name; });
  if (found == args.named.end()) return std::nullopt;
  Value value = std::move(found->second);
  args.named.erase(found);
  return value;
}

void bind_rest(Interpreter& interpreter, const MacroBody& macro, CallArgs& args) {
  const size_t bound = std::min(args.positional.size(), macro.parameters.size());
  Scope& scope = *interpreter.scope();
  if (macro.uses_caller) {
    auto caller = take(args, "caller");
    scope.set(macro.caller_id, caller ? *caller : Value::undefined("No caller defined"));
  }
  if (macro.uses_kwargs) {
    std::vector<std::pair<Value, Value>> rest;
    for (auto& [name, value] : args.named) rest.emplace_back(Value::text(name), std::move(value));
    scope.set(macro.kwargs_id, Value::dict(std::move(rest)));
  } else if (!args.named.empty()) {
    fail_render("macro '{}' takes no keyword argument '{}'", macro.name, args.named[0].first);
  }
  if (macro.uses_varargs) {
    scope.set(macro.varargs_id,
              Value::tuple(List(args.positional.begin() + static_cast<std::ptrdiff_t>(bound), args.positional.end())));
  } else if (args.positional.size() > bound) {
    fail_render("macro '{}' takes not more than {} argument(s)", macro.name, macro.parameters.size());
  }
}

// Gives every parameter its argument or its default; defaults see the parameters before them.
void bind(Interpreter& interpreter, const MacroBody& macro, CallArgs& args) {
  std::vector<std::optional<Value>> values;
  for (size_t i = 0; i < macro.parameters.size(); ++i) {
    const bool positional = i < args.positional.size();
    values.push_back(positional ? args.positional[i] : take(args, macro.parameters[i].name));
  }
  bind_rest(interpreter, macro, args);
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = macro.parameters[i];
    if (!values[i] && parameter.fallback) values[i] = interpreter.evaluate(*parameter.fallback);
    if (!values[i]) values[i] = Value::undefined(fmt::format("parameter '{}' was not provided", parameter.name));
    interpreter.scope()->set(parameter.id, std::move(*values[i]));
  }
}

// A callable that runs `macro` in a frame inside of the one it was defined in.
Value make_macro(Interpreter& interpreter, const MacroBody& macro) {
  std::shared_ptr<Scope> closure = interpreter.scope();
  interpreter.keep(closure);
  const auto call = [&macro, closure](Interpreter& inner, CallArgs& args) {
    std::string out = inner.capture_call([&] {
      const Interpreter::InScope in_scope(inner, inner_scope(closure));
      bind(inner, macro, args);
      inner.execute(macro.body);
    });
    return inner.text(std::move(out));
  };
  return Value::callable(fmt::format("Macro '{}'", macro.name), call);
}

}  // namespace

Flow MacroStatement::execute(Interpreter& interpreter) const {
  interpreter.scope()->set(id, make_macro(interpreter, macro));
  return Flow::kNext;
}

Flow CallBlockStatement::execute(Interpreter& interpreter) const {
  const Value block = make_macro(interpreter, caller);
  const Value result = call->call(interpreter, &block);
  interpreter.write(interpreter.string_of(result));
  return Flow::kNext;
}

}  // namespace minfer::jinja
