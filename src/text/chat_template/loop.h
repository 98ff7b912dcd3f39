// The `loop` variable of a for statement: position, neighbours, length; reads one item ahead only when asked for it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "text/chat_template/cursor.h"
#include "text/chat_template/value.h"

namespace minfer::jinja {

class Loop {
 public:
  using Recurse = std::function<Value(Interpreter&, const Value& iterable)>;

  // depth0: how many recursive loops this one is inside of.
  Loop(Value iterable, int depth0);

  bool advance();  // to the next item; false at the end
  const Value& item() const { return *current_; }
  int64_t index0() const { return index0_; }
  int64_t length();
  bool last();
  int depth0() const { return depth0_; }
  Extent extent() const { return extent_; }

  // loop.index and the like, cycle() and changed() as callables; undefined for anything else.
  std::optional<Value> attribute(std::string_view name, const Value& self);

  // What calling loop(iterable) does in a recursive loop; empty in others.
  Recurse recurse;

 private:
  const Value* peek();
  Value neighbour(const std::optional<Value>& item, const char* message) const;
  Value call_changed(CallArgs& args);

  Value iterable_;
  Cursor cursor_;
  int64_t index0_ = -1;
  int depth0_;
  Extent extent_;
  std::optional<int64_t> length_;
  std::optional<Value> before_, current_, after_;
  std::optional<Value> changed_;
};

}  // namespace minfer::jinja
