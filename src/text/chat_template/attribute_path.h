// The `attribute` argument of filters: a dotted path of names and indexes, looked up in each item.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/chat_template/value.h"

namespace minfer::jinja {

class AttributePath {
 public:
  AttributePath() = default;                       // the item itself
  explicit AttributePath(const Value& attribute);  // None: the item itself

  // `fallback` replaces what is undefined on the way.
  Value of(Interpreter& interpreter, Value item, const std::optional<Value>& fallback = std::nullopt) const;

 private:
  std::vector<Value> parts_;
};

// Lower case for strings, anything else as it is: the key of case-insensitive sorting.
Value without_case(Interpreter& interpreter, const Value& value);

}  // namespace minfer::jinja
