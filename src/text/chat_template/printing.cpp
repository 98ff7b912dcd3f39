#include "text/chat_template/printing.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "text/chat_template/failure.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

class Printer {
 public:
  explicit Printer(size_t max_bytes) : max_bytes_(max_bytes) {}

  void repr(const Value& value);
  std::string take() { return std::move(out_); }

 private:
  void scalar(const Value& value);
  void items(const List& list, std::string_view open, std::string_view close);
  void dict(const DictData& dict);
  void range(const RangeData& range);
  void check() const {
    if (out_.size() > max_bytes_) fail_render("printing a value makes more than {} bytes", max_bytes_);
  }

  std::string out_;
  size_t max_bytes_;
  int depth_ = 0;
};

void Printer::items(const List& list, std::string_view open, std::string_view close) {
  out_ += open;
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += ", ";
    repr(list[i]);
  }
  out_ += close;
}

void Printer::dict(const DictData& dict) {
  out_ += '{';
  bool first = true;
  for (const auto& [key, value] : dict.entries) {
    if (!first) out_ += ", ";
    first = false;
    repr(key);
    out_ += ": ";
    repr(value);
  }
  out_ += '}';
}

void Printer::range(const RangeData& range) {
  const int64_t stop = range.at(range.count);
  out_ += range.step == 1 ? fmt::format("range({}, {})", range.start, stop)
                          : fmt::format("range({}, {}, {})", range.start, stop, range.step);
}

void Printer::scalar(const Value& value) {
  if (value.is_none()) {
    out_ += "None";
  } else if (value.is_undefined()) {
    out_ += "Undefined";
  } else if (const bool* b = value.as_bool()) {
    out_ += *b ? "True" : "False";
  } else if (const int64_t* i = value.as_integer()) {
    out_ += fmt::format("{}", *i);
  } else if (const double* d = value.as_real()) {
    out_ += float_text(*d);
  } else if (const RangeData* r = value.as_range()) {
    range(*r);
  } else if (const CallableData* c = value.as_callable()) {
    out_ += fmt::format("<{}>", c->name);
  } else if (Loop* loop = value.as_loop()) {
    out_ += fmt::format("<LoopContext {}/{}>", loop->index0() + 1, loop->length());
  } else {
    out_ += fmt::format("<{} object>", type_name(value));
  }
}

void Printer::repr(const Value& value) {
  check();
  if (++depth_ > 1000) fail_render("maximum recursion depth exceeded while printing a value");
  if (const TextData* text = value.as_text()) {
    if (text->markup) out_ += "Markup(";
    append_quoted(out_, text->bytes);
    if (text->markup) out_ += ")";
  } else if (const List* list = value.as_list()) {
    items(*list, "[", "]");
  } else if (const List* tuple = value.as_tuple()) {
    items(*tuple, "(", tuple->size() == 1 ? ",)" : ")");
  } else if (const DictData* data = value.as_dict()) {
    dict(*data);
  } else if (const ViewData* view = value.as_view()) {
    items(view->items, fmt::format("{}([", view->type), "])");
  } else {
    scalar(value);
  }
  --depth_;
}

void append_escape(std::string& out, char32_t c) {
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c <= 0xFF) {
    out += fmt::format("\\x{:02x}", static_cast<uint32_t>(c));
  } else if (c <= 0xFFFF) {
    out += fmt::format("\\u{:04x}", static_cast<uint32_t>(c));
  } else {
    out += fmt::format("\\U{:08x}", static_cast<uint32_t>(c));
  }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  const bool has_single = text.find('\'') != text.npos;
  const char quote = has_single && text.find('"') == text.npos ? '"' : '\'';
  out += quote;
  for (size_t pos = 0; pos < text.size();) {
    const size_t begin = pos;
    const char32_t c = unicode::next(text, pos);
    if (c == static_cast<char32_t>(quote) || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (unicode::is_printable(c)) {
      out.append(text.substr(begin, pos - begin));
    } else {
      append_escape(out, c);
    }
  }
  out += quote;
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  const size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c != '-' && c != '.') digits += c;
  }
  const std::string sign = text[0] == '-' ? "-" : "";
  const int n = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    const std::string fraction = n > 1 ? "." + digits.substr(1) : "";
    return fmt::format("{}{}{}e{}{:02d}", sign, digits[0], fraction, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  if (n <= exponent + 1) return sign + digits + std::string(static_cast<size_t>(exponent + 1 - n), '0') + ".0";
  const auto point = static_cast<size_t>(exponent + 1);
  return sign + digits.substr(0, point) + "." + digits.substr(point);
}

std::string to_text(const Value& value, size_t max_bytes) {
  if (const TextData* text = value.as_text()) return text->bytes;
  if (value.is_undefined()) return "";
  return repr(value, max_bytes);
}

std::string repr(const Value& value, size_t max_bytes) {
  Printer printer(max_bytes);
  printer.repr(value);
  return printer.take();
}

}  // namespace minfer::jinja
