#include "text/chat_template/json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/chat_template/arguments.h"
#include "text/chat_template/builtin_functions.h"
#include "text/chat_template/failure.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/operators.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

using Json = nlohmann::ordered_json;

Value converted(const Json& json, int depth) {
  if (depth > kMaxDataDepth) fail_render("the input is nested more than {} deep", kMaxDataDepth);
  switch (json.type()) {
    case Json::value_t::null: return Value::none();
    case Json::value_t::boolean: return Value::boolean(json.get<bool>());
    case Json::value_t::number_integer: return Value::integer(json.get<int64_t>());
    case Json::value_t::number_unsigned:
      if (json.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
        fail_render("the input holds the integer {}, which does not fit in 64 signed bits", json.get<uint64_t>());
      }
      return Value::integer(json.get<int64_t>());
    case Json::value_t::number_float: return Value::real(json.get<double>());
    case Json::value_t::string: return Value::text(json.get_ref<const std::string&>());
    case Json::value_t::array: {
      List items;
      items.reserve(json.size());
      for (const Json& item : json) items.push_back(converted(item, depth + 1));
      return Value::list(std::move(items));
    }
    case Json::value_t::object: {
      std::vector<std::pair<Value, Value>> entries;
      for (const auto& [key, value] : json.items()) entries.emplace_back(Value::text(key), converted(value, depth + 1));
      return Value::dict(std::move(entries));
    }
    default: fail_render("the input holds a value that is not JSON");
  }
}

// Python's json.dumps.
class Dumper {
 public:
  Dumper(Interpreter& interpreter, CallArgs& args)
      : interpreter_(interpreter), bound_("tojson", args, {"ensure_ascii", "indent", "separators", "sort_keys"}) {
    ascii_ = bound_.flag(0, false);
    sort_ = bound_.flag(3, false);
    if (bound_.given(1)) set_indent(bound_.get(1));
    item_separator_ = indent_ ? "," : ", ";
    if (bound_.given(2)) set_separators(bound_.get(2));
  }

  std::string run(const Value& value) {
    dump(value, 0);
    return std::move(out_);
  }

 private:
  void set_indent(const Value& indent) {
    if (const TextData* text = indent.as_text()) {
      indent_ = text->bytes;
    } else {
      indent_ = std::string(static_cast<size_t>(std::max<int64_t>(bound_.width(1, 0), 0)), ' ');
    }
  }

  void set_separators(const Value& separators) {
    const List* pair = separators.as_list_or_tuple();
    if (!pair || pair->size() != 2 || !(*pair)[0].as_text() || !(*pair)[1].as_text()) {
      fail_render("tojson(): separators must be two strings");
    }
    item_separator_ = (*pair)[0].as_text()->bytes;
    key_separator_ = (*pair)[1].as_text()->bytes;
  }

  void emit(std::string_view text) {
    interpreter_.made(text.size());
    out_.append(text);
  }

  void new_line(int level) {
    if (!indent_) return;
    emit("\n");
    for (int i = 0; i < level; ++i) emit(*indent_);
  }

  void dump(const Value& value, int level) {
    interpreter_.step();
    if (const TextData* text = value.as_text()) return string(text->bytes);
    if (const List* items = value.as_list_or_tuple()) return array(*items, level);
    if (const DictData* dict = value.as_dict()) return object(*dict, level);
    if (!value.is_none() && !value.is_number()) {
      fail_render("Object of type {} is not JSON serializable", type_name(value));
    }
    emit(scalar(value));
  }

  static std::string scalar(const Value& value) {
    if (value.is_none()) return "null";
    if (const bool* b = value.as_bool()) return *b ? "true" : "false";
    const double* d = value.as_real();
    if (d && std::isnan(*d)) return "NaN";
    if (d && std::isinf(*d)) return *d < 0 ? "-Infinity" : "Infinity";
    return to_text(value);
  }

  void array(const List& items, int level) {
    if (items.empty()) return emit("[]");
    emit("[");
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) emit(item_separator_);
      new_line(level + 1);
      dump(items[i], level + 1);
    }
    new_line(level);
    emit("]");
  }

  void object(const DictData& dict, int level) {
    if (dict.entries.empty()) return emit("{}");
    auto entries = dict.entries;
    if (sort_) {
      std::stable_sort(entries.begin(), entries.end(),
                       [](const auto& a, const auto& b) { return less(a.first, b.first); });
    }
    emit("{");
    bool first = true;
    for (const auto& [key, value] : entries) {
      if (!first) emit(item_separator_);
      first = false;
      new_line(level + 1);
      key_text(key);
      emit(key_separator_);
      dump(value, level + 1);
    }
    new_line(level);
    emit("}");
  }

  void key_text(const Value& key) {
    if (const TextData* text = key.as_text()) return string(text->bytes);
    if (!key.is_none() && !key.is_number()) {
      fail_render("keys must be str, int, float, bool or None, not {}", type_name(key));
    }
    emit("\"" + scalar(key) + "\"");
  }

  void escape(char32_t c) {
    if (c > 0xFFFF) {
      const uint32_t rest = static_cast<uint32_t>(c) - 0x10000;
      emit(fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF)));
    } else {
      emit(fmt::format("\\u{:04x}", static_cast<uint32_t>(c)));
    }
  }

  void string(std::string_view text) {
    constexpr std::string_view kFrom = "\"\\\n\r\t\f\b";
    constexpr std::string_view kTo = "\"\\nrtfb";
    emit("\"");
    size_t plain = 0;  // start of what is copied as it is
    for (size_t pos = 0; pos < text.size();) {
      const size_t begin = pos;
      const char32_t c = unicode::next(text, pos);
      const size_t named = c < 0x80 ? kFrom.find(static_cast<char>(c)) : kFrom.npos;
      if (named == kFrom.npos && c >= 0x20 && (c < 0x7F || !ascii_)) continue;
      emit(text.substr(plain, begin - plain));
      plain = pos;
      if (named != kFrom.npos) {
        emit(std::string{'\\', kTo[named]});
      } else {
        escape(c);
      }
    }
    emit(text.substr(plain));
    emit("\"");
  }

  Interpreter& interpreter_;
  Arguments bound_;
  bool ascii_, sort_;
  std::optional<std::string> indent_;
  std::string item_separator_;
  std::string key_separator_ = ": ";
  std::string out_;
};

}  // namespace

Value from_json(const Json& json) {
  return converted(json, 0);
}

Value filter_tojson(Interpreter& interpreter, const Value& input, CallArgs& args) {
  return interpreter.text(Dumper(interpreter, args).run(input));
}

}  // namespace minfer::jinja
