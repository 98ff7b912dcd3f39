#include "text/chat_template/arguments.h"

#include <algorithm>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"

namespace minfer::jinja {

Arguments::Arguments(std::string_view callee, CallArgs& args, std::initializer_list<std::string_view> names,
                     size_t required)
    : callee_(callee), values_(names.size()) {
  if (args.positional.size() > names.size()) {
    fail_render("{}() takes at most {} argument(s) ({} given)", callee, names.size(), args.positional.size());
  }
  std::move(args.positional.begin(), args.positional.end(), values_.begin());
  for (auto& [name, value] : args.named) {
    const auto* found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) fail_render("{}() got an unexpected keyword argument '{}'", callee, name);
    auto& slot = values_[static_cast<size_t>(found - names.begin())];
    if (slot) fail_render("{}() got multiple values for argument '{}'", callee, name);
    slot = std::move(value);
  }
  for (size_t i = 0; i < required; ++i) {
    if (!values_[i]) fail_render("{}() missing required argument: '{}'", callee, names.begin()[i]);
  }
}

int64_t Arguments::integer(size_t i, int64_t fallback) const {
  if (!values_[i]) return fallback;
  require_defined(*values_[i]);
  const auto n = whole(*values_[i]);
  if (!n) fail_render("{}(): '{}' object cannot be interpreted as an integer", callee_, type_name(*values_[i]));
  return *n;
}

const std::string& Arguments::text(size_t i) const {
  const TextData* data = values_[i]->as_text();
  if (!data) fail_render("{}() argument {} must be str, not {}", callee_, i + 1, type_name(*values_[i]));
  return data->bytes;
}

int64_t Arguments::width(size_t i, int64_t fallback) const {
  const int64_t n = integer(i, fallback);
  if (n > kMaxWidth) fail_render("{}(): a width of {} is more than {}", callee_, n, kMaxWidth);
  return n;
}

}  // namespace minfer::jinja
