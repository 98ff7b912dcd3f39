// The for statement: a fresh frame for every round, filters in the head, recursion through loop(…).
#include "text/chat_template/cursor.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/loop.h"

namespace minfer::jinja {

// The items that pass the head's `if`, tested one by one while the loop runs.
Value ForStatement::filtered(Interpreter& interpreter, const Value& source) const {
  auto cursor = std::make_shared<Cursor>(source);
  std::shared_ptr<Scope> outer = interpreter.scope();
  const auto next = [this, cursor, outer, &interpreter](Value& item) {
    while (cursor->next(item)) {
      const Interpreter::InScope in_scope(interpreter, inner_scope(outer));
      target.assign(interpreter, item);
      if (interpreter.evaluate(*condition).truth()) return true;
    }
    return false;
  };
  return Value::iterator(source, next);
}

void ForStatement::run(Interpreter& interpreter, const Value& source, int depth0) const {
  const std::shared_ptr<Scope> outer = interpreter.scope();
  const auto loop = std::make_shared<Loop>(condition ? filtered(interpreter, source) : source, depth0);
  struct Release {  // the function holds the frame around the loop
    Loop& loop;
    ~Release() { loop.recurse = nullptr; }
  };
  const Release release{*loop};
  if (recursive) {
    loop->recurse = [this, outer, depth0](Interpreter& inner, const Value& items) {
      std::string out = inner.capture_call([&] {
        const Interpreter::InScope in_scope(inner, outer);
        run(inner, items, depth0 + 1);
      });
      return inner.text(std::move(out));
    };
  }
  bool any = false;  // a round that ran to its end: jinja2 renders the else part after a break in the first one
  while (true) {
    const Interpreter::Working working(interpreter);
    if (!loop->advance()) break;
    interpreter.step(2);  // a round makes a frame
    const Interpreter::InScope in_scope(interpreter, inner_scope(outer));
    target.assign(interpreter, loop->item());
    interpreter.scope()->set(loop_id, Value::loop(loop));
    const Flow flow = interpreter.execute(body);
    if (flow == Flow::kBreak) break;
    any = any || flow == Flow::kNext;
  }
  if (!any && !otherwise.empty()) {
    const Interpreter::InScope in_scope(interpreter, inner_scope(outer));
    interpreter.execute(otherwise);
  }
}

Flow ForStatement::execute(Interpreter& interpreter) const {
  const Value source = interpreter.evaluate(*iterable);
  interpreter.at(line);
  run(interpreter, source, 0);
  return Flow::kNext;
}

}  // namespace minfer::jinja
