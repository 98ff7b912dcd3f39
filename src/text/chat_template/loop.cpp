#include "text/chat_template/loop.h"

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"

namespace minfer::jinja {

Loop::Loop(Value iterable, int depth0) : iterable_(iterable), cursor_(std::move(iterable)), depth0_(depth0) {
  extent_ = iterable_.extent();
  if (++extent_.depth > kMaxDataDepth) fail_render("loops over loops are nested more than {} deep", kMaxDataDepth);
}

bool Loop::advance() {
  std::optional<Value> upcoming = std::move(after_);
  after_.reset();
  if (!upcoming) {
    Value item;
    if (!cursor_.next(item)) return false;
    upcoming = std::move(item);
  }
  ++index0_;
  before_ = std::move(current_);
  current_ = std::move(upcoming);
  return true;
}

const Value* Loop::peek() {
  if (!after_) {
    Value item;
    if (!cursor_.next(item)) return nullptr;
    after_ = std::move(item);
  }
  return &*after_;
}

bool Loop::last() {
  return peek() == nullptr;
}

int64_t Loop::length() {
  if (length_) return *length_;
  if (!iterable_.as_iterator() && !iterable_.as_loop()) {
    length_ = length_of(iterable_);
    return *length_;
  }
  List rest;
  Value item;
  while (cursor_.next(item)) rest.push_back(item);
  length_ = static_cast<int64_t>(rest.size()) + index0_ + 1 + (after_ ? 1 : 0);
  cursor_ = Cursor(Value::list(std::move(rest)));
  return *length_;
}

Value Loop::neighbour(const std::optional<Value>& item, const char* message) const {
  return item ? *item : Value::undefined(message);
}

Value Loop::call_changed(CallArgs& args) {
  Value now = Value::tuple(args.positional);
  if (changed_ && equal(*changed_, now)) return Value::boolean(false);
  changed_ = std::move(now);
  return Value::boolean(true);
}

std::optional<Value> Loop::attribute(std::string_view name, const Value& self) {
  if (name == "index") return Value::integer(index0_ + 1);
  if (name == "index0") return Value::integer(index0_);
  if (name == "first") return Value::boolean(index0_ == 0);
  if (name == "last") return Value::boolean(last());
  if (name == "length") return Value::integer(length());
  if (name == "revindex") return Value::integer(length() - index0_);
  if (name == "revindex0") return Value::integer(length() - index0_ - 1);
  if (name == "depth") return Value::integer(depth0_ + 1);
  if (name == "depth0") return Value::integer(depth0_);
  if (name == "previtem") return index0_ == 0 ? Value::undefined("there is no previous item") : neighbour(before_, "");
  if (name == "nextitem") {
    peek();
    return neighbour(after_, "there is no next item");
  }
  const int depth = self.extent().depth + 1;
  if (name == "cycle") {
    const auto cycle = [self](Interpreter&, CallArgs& args) {
      if (args.positional.empty()) fail_render("no items for cycling given");
      const auto i = static_cast<size_t>(self.as_loop()->index0_) % args.positional.size();
      return args.positional[i];
    };
    return Value::callable("bound method LoopContext.cycle", cycle, depth);
  }
  if (name == "changed") {
    const auto changed = [self](Interpreter&, CallArgs& args) { return self.as_loop()->call_changed(args); };
    return Value::callable("bound method LoopContext.changed", changed, depth);
  }
  return std::nullopt;
}

}  // namespace minfer::jinja
