#include "text/chat_template/interpreter.h"

#include <algorithm>

#include "text/chat_template/cursor.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/printing.h"

namespace minfer::jinja {

const Value* Scope::find(NameId id) const {
  for (const Scope* scope = this; scope; scope = scope->parent.get()) {
    for (const auto& [name, value] : scope->variables) {
      if (name == id) return &value;
    }
  }
  return nullptr;
}

void Scope::set(NameId id, Value value) {
  for (auto& [name, old] : variables) {
    if (name == id) {
      old = std::move(value);
      return;
    }
  }
  charge.grow(2 * sizeof(variables[0]));
  variables.emplace_back(id, std::move(value));
}

std::shared_ptr<Scope> inner_scope(std::shared_ptr<Scope> parent) {
  auto scope = std::make_shared<Scope>();
  scope->parent = std::move(parent);
  return scope;
}

class Interpreter::Deeper {
 public:
  explicit Deeper(Interpreter& interpreter) : depth_(interpreter.depth_) {
    if (++depth_ > interpreter.limits_.max_depth) {
      --depth_;
      fail_limit("maximum recursion depth of {} exceeded", interpreter.limits_.max_depth);
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

Interpreter::Interpreter(const Limits& limits, const std::tm& now)
    : limits_(limits), memory_(limits.max_memory), now_(now), scope_(std::make_shared<Scope>()) {}

// Empties what may be part of a cycle. Values are moved out first, so that no destructor runs into a half-emptied
// owner.
Interpreter::~Interpreter() {
  for (const auto& scope : kept_scopes_) {
    const auto released = std::move(scope->variables);
    scope->variables.clear();
  }
  for (const auto& data : namespaces_) {
    const auto released = std::move(data->attributes);
    data->attributes.clear();
  }
}

std::string Interpreter::render(const Template& source, const std::vector<std::pair<std::string, Value>>& variables) {
  const MemoryAccount::Scope counted(memory_);
  Output out;
  out_ = &out;
  for (const auto& [name, value] : variables) {
    if (const auto id = source.find_name(name)) scope_->set(*id, value);
  }
  try {
    execute(source.body);
  } catch (const Failure& failure) {
    throw TemplateError(failure.kind, failure.detail, line_, failure.raised_by_template);
  }
  return std::move(out.text);
}

namespace {

// Completes the message of a limit with the innermost construct.
[[noreturn]] void rethrow(Failure& failure, const std::string& construct) {
  if (failure.names_construct && !construct.empty()) {
    failure.detail += ", in " + construct;
    failure.names_construct = false;
  }
  throw failure;
}

}  // namespace

Value Interpreter::evaluate(const Expr& expr) {
  const Deeper deeper(*this);
  const Working working(*this);
  try {
    step();
    line_ = expr.line;
    return expr.evaluate(*this);
  } catch (Failure& failure) {
    rethrow(failure, expr.construct());
  }
}

Flow Interpreter::execute(const Body& body) {
  const Deeper deeper(*this);
  for (const auto& statement : body) {
    const Working working(*this);
    try {
      step();
      line_ = statement->line;
      const Flow flow = statement->execute(*this);
      if (flow != Flow::kNext) return flow;
    } catch (Failure& failure) {
      rethrow(failure, statement->construct());
    }
  }
  return Flow::kNext;
}

void Interpreter::step(uint64_t n) {
  steps_ += n;
  if (steps_ > limits_.max_steps) fail_limit("the template takes more than {} steps", limits_.max_steps);
}

void Interpreter::count(uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > limits_.max_bytes) {
    fail_limit("the template makes more than {} bytes of text and lists", limits_.max_bytes);
  }
  step(bytes / 32);
}

void Interpreter::made(uint64_t bytes) {
  count(bytes);
  working_bytes_ += bytes;
  memory_.require(working_bytes_);
}

Value Interpreter::text(std::string bytes, bool markup) {
  made(bytes.size());
  return Value::text(std::move(bytes), markup);
}

Value Interpreter::list(List items) {
  made(items.size() * sizeof(Value));
  return Value::list(std::move(items));
}

List Interpreter::items_of(const Value& iterable) {
  if (const List* items = iterable.as_list_or_tuple()) {
    made(items->size() * sizeof(Value));
    return *items;
  }
  List items;
  Cursor cursor(iterable);
  Value item;
  while (cursor.next(item)) {
    made(sizeof(Value));
    step();
    items.push_back(std::move(item));
  }
  return items;
}

std::string Interpreter::string_of(const Value& value) {
  std::string out = to_text(value, std::min(limits_.max_output, memory_.left_bytes()));
  made(out.size());
  return out;
}

void Interpreter::write(std::string_view text) {
  if (out_->text.size() + text.size() > limits_.max_output) {
    fail_limit("the template writes more than {} bytes", limits_.max_output);
  }
  count(text.size());
  out_->charge.grow(text.size());
  out_->text.append(text);
}

std::string Interpreter::capture_call(const std::function<void()>& run) {
  struct Restore {
    Output*& target;
    Output* outer;
    ~Restore() { target = outer; }
  };
  Output out;
  const Restore restore{out_, std::exchange(out_, &out)};
  const Deeper deeper(*this);
  run();
  return std::move(out.text);
}

std::string Interpreter::capture(const Body& body, std::shared_ptr<Scope> parent) {
  const InScope in_scope(*this, inner_scope(std::move(parent)));
  return capture_call([&] { execute(body); });
}

void Interpreter::keep(std::shared_ptr<Scope> scope) {
  count(128);
  if (kept_scopes_.empty() || kept_scopes_.back() != scope) kept_scopes_.push_back(std::move(scope));
}

Value Interpreter::new_namespace(std::vector<std::pair<std::string, Value>> attributes) {
  count(128);
  auto data = std::make_shared<NamespaceData>(NamespaceData{std::move(attributes), Charge(kNamespaceBytes)});
  for (const auto& [name, value] : data->attributes) data->charge.grow(kAttributeBytes + name.size());
  namespaces_.push_back(data);
  return Value::name_space(std::move(data));
}

}  // namespace minfer::jinja
