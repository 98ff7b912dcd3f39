// Binds the arguments of a call to named parameters, as Python does.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/chat_template/value.h"

namespace minfer::jinja {

class Arguments {
 public:
  // `names`: all parameters in order; the first `required` must be given. Refuses too many and unknown ones.
  Arguments(std::string_view callee, CallArgs& args, std::initializer_list<std::string_view> names,
            size_t required = 0);

  bool has(size_t i) const { return values_[i].has_value(); }
  const Value& get(size_t i) const { return *values_[i]; }
  Value get_or(size_t i, Value fallback) const { return values_[i] ? *values_[i] : std::move(fallback); }
  // None counts as not given.
  bool given(size_t i) const { return values_[i] && !values_[i]->is_none(); }

  bool flag(size_t i, bool fallback) const { return values_[i] ? values_[i]->truth() : fallback; }
  int64_t integer(size_t i, int64_t fallback) const;  // refuses what is no whole number
  const std::string& text(size_t i) const;            // refuses what is no str
  int64_t width(size_t i, int64_t fallback) const;    // an integer of at most kMaxWidth

 private:
  std::string callee_;
  std::vector<std::optional<Value>> values_;
};

}  // namespace minfer::jinja
