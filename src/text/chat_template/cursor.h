// Python's iteration over a value: items of lists, tuples, ranges, views and iterators, keys of dicts, characters of
// text.
#pragma once

#include "text/chat_template/value.h"

namespace minfer::jinja {

class Cursor {
 public:
  explicit Cursor(Value source);  // fails for what cannot be iterated, as iter() does

  bool next(Value& item);  // false at the end

 private:
  bool next_of(const List& items, Value& item);

  Value source_;
  size_t position_ = 0;
};

// True when a Cursor can walk the value.
bool is_iterable(const Value& value);

}  // namespace minfer::jinja
