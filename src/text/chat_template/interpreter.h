// The state of one rendering: scopes, output, and the budget that bounds what a hostile template can cost.
#pragma once

#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/chat_template/limits.h"
#include "text/chat_template/memory_account.h"
#include "text/chat_template/tree.h"
#include "text/chat_template/value.h"

namespace minfer::jinja {

// Variables of one frame; a lookup goes on in the frames around it.
struct Scope {
  std::shared_ptr<Scope> parent;
  std::vector<std::pair<NameId, Value>> variables;
  Charge charge{128};

  const Value* find(NameId id) const;  // null when no frame has it
  void set(NameId id, Value value);
};

class Interpreter {
 public:
  // `now`: the local time that strftime_now shows.
  Interpreter(const Limits& limits, const std::tm& now);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Renders a template with the given variables.
  std::string render(const Template& source, const std::vector<std::pair<std::string, Value>>& variables);

  Value evaluate(const Expr& expr);
  Flow execute(const Body& body);

  // Budget. Each throws when the limit is passed. What is made counts as held until the expression or statement under
  // evaluation ends; what is kept behind it is the values' own charge.
  void step(uint64_t n = 1);
  void made(uint64_t bytes);
  void walk(const Value& value) { step(value.extent().weight); }

  // New values, charged to the budget.
  Value text(std::string bytes, bool markup = false);
  Value list(List items);
  List items_of(const Value& iterable);  // every item, as list() gives them
  std::string string_of(const Value& value);

  // Output.
  void write(std::string_view text);
  // Runs `body` in a new scope and returns what it wrote.
  std::string capture(const Body& body, std::shared_ptr<Scope> parent);
  // Returns what `run` wrote.
  std::string capture_call(const std::function<void()>& run);

  const std::shared_ptr<Scope>& scope() const { return scope_; }
  // Keeps a scope, or a namespace, until the end of the rendering: both can be part of cycles.
  void keep(std::shared_ptr<Scope> scope);
  Value new_namespace(std::vector<std::pair<std::string, Value>> attributes);

  int line() const { return line_; }
  void at(int line) { line_ = line; }
  const std::tm& now() const { return now_; }

  // Makes `scope` the current one for the guard's life.
  class InScope {
   public:
    InScope(Interpreter& interpreter, std::shared_ptr<Scope> scope)
        : interpreter_(interpreter), outer_(std::exchange(interpreter.scope_, std::move(scope))) {}
    ~InScope() { interpreter_.scope_ = std::move(outer_); }
    InScope(const InScope&) = delete;
    InScope& operator=(const InScope&) = delete;

   private:
    Interpreter& interpreter_;
    std::shared_ptr<Scope> outer_;
  };

  // What is made while the guard lives is forgotten at its end.
  class Working {
   public:
    explicit Working(Interpreter& interpreter) : interpreter_(interpreter), before_(interpreter.working_bytes_) {}
    ~Working() { interpreter_.working_bytes_ = before_; }
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;

   private:
    Interpreter& interpreter_;
    uint64_t before_;
  };

 private:
  class Deeper;

  // Text that is being written, and its charge.
  struct Output {
    std::string text;
    Charge charge;
  };

  void count(uint64_t bytes);

  Limits limits_;
  MemoryAccount memory_;  // before everything that holds values
  std::tm now_;
  uint64_t steps_ = 0;
  uint64_t bytes_ = 0;
  uint64_t working_bytes_ = 0;
  int depth_ = 0;
  int line_ = 1;
  Output* out_ = nullptr;
  std::shared_ptr<Scope> scope_;
  std::vector<std::shared_ptr<Scope>> kept_scopes_;
  std::vector<std::shared_ptr<NamespaceData>> namespaces_;
};

// What a namespace and one attribute of it take, besides the value and the name.
inline constexpr uint64_t kNamespaceBytes = 128;
inline constexpr uint64_t kAttributeBytes = 2 * (sizeof(std::string) + sizeof(Value));

std::shared_ptr<Scope> inner_scope(std::shared_ptr<Scope> parent);

}  // namespace minfer::jinja
