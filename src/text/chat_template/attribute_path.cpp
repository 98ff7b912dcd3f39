#include "text/chat_template/attribute_path.h"

#include <charconv>

#include "text/chat_template/interpreter.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {

AttributePath::AttributePath(const Value& attribute) {
  if (attribute.is_none()) return;
  const TextData* text = attribute.as_text();
  if (!text) {
    parts_.push_back(attribute);
    return;
  }
  std::string_view rest = text->bytes;
  while (true) {
    const size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    int64_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_index = error == std::errc{} && end == part.data() + part.size() && part[0] != '-';
    parts_.push_back(is_index ? Value::integer(index) : Value::text(std::string(part)));
    if (dot == rest.npos) return;
    rest.remove_prefix(dot + 1);
  }
}

Value AttributePath::of(Interpreter& interpreter, Value item, const std::optional<Value>& fallback) const {
  for (const Value& part : parts_) {
    interpreter.step();
    item = subscript(interpreter, item, part);
    if (fallback && item.is_undefined()) item = *fallback;
  }
  return item;
}

Value without_case(Interpreter& interpreter, const Value& value) {
  const TextData* text = value.as_text();
  return text ? interpreter.text(unicode::lower(text->bytes)) : value;
}

}  // namespace minfer::jinja
