#include "text/chat_template/text_tools.h"

#include <algorithm>

#include "text/chat_template/interpreter.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

std::string repeated(std::string_view unit, int64_t times) {
  std::string out;
  for (int64_t i = 0; i < times; ++i) out += unit;
  return out;
}

// An empty needle matches before every character and at the end.
Value replace_empty(Interpreter& interpreter, std::string_view text, std::string_view to, int64_t count) {
  std::string out;
  int64_t done = 0;
  for (size_t pos = 0; pos <= text.size();) {
    if (count < 0 || done < count) {
      interpreter.made(to.size());
      out += to;
      ++done;
    }
    if (pos == text.size()) break;
    const size_t begin = pos;
    unicode::next(text, pos);
    out.append(text.substr(begin, pos - begin));
  }
  return interpreter.text(std::move(out));
}

}  // namespace

std::string_view strip_space(std::string_view text, bool left, bool right) {
  if (left) text.remove_prefix(unicode::leading_space(text));
  if (right) text.remove_suffix(unicode::trailing_space(text));
  return text;
}

std::string_view strip_characters(std::string_view text, std::string_view characters, bool left, bool right) {
  const std::u32string set = unicode::decode(characters);
  const auto in_set = [&](char32_t c) { return set.find(c) != set.npos; };
  size_t begin = 0;
  while (left && begin < text.size()) {
    size_t end = begin;
    if (!in_set(unicode::next(text, end))) break;
    begin = end;
  }
  size_t kept_end = right ? begin : text.size();
  for (size_t pos = begin; right && pos < text.size();) {
    if (!in_set(unicode::next(text, pos))) kept_end = pos;
  }
  return text.substr(begin, kept_end - begin);
}

std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends) {
  std::vector<std::string_view> lines;
  size_t begin = 0;
  for (size_t pos = 0; pos < text.size();) {
    const size_t at = pos;
    const char32_t c = unicode::next(text, pos);
    if (!unicode::is_line_break(c)) continue;
    if (c == '\r' && pos < text.size() && text[pos] == '\n') ++pos;
    lines.push_back(text.substr(begin, (keep_ends ? pos : at) - begin));
    begin = pos;
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

Value replace_text(Interpreter& interpreter, std::string_view text, std::string_view from, std::string_view to,
                   int64_t count) {
  if (from.empty()) return replace_empty(interpreter, text, to, count);
  std::string out;
  size_t pos = 0;
  for (int64_t done = 0; count < 0 || done < count; ++done) {
    const size_t found = text.find(from, pos);
    if (found == text.npos) break;
    interpreter.made(to.size());
    out.append(text.substr(pos, found - pos)).append(to);
    pos = found + from.size();
  }
  out.append(text.substr(pos));
  return interpreter.text(std::move(out));
}

std::string centered(std::string_view text, int64_t width, std::string_view fill) {
  const int64_t padding = width - static_cast<int64_t>(unicode::length(text));
  if (padding <= 0) return std::string(text);
  const int64_t left = padding / 2 + (padding & width & 1);
  return repeated(fill, left) + std::string(text) + repeated(fill, padding - left);
}

std::string padded(std::string_view text, int64_t width, std::string_view fill, bool text_first) {
  const std::string padding = repeated(fill, width - static_cast<int64_t>(unicode::length(text)));
  return text_first ? std::string(text) + padding : padding + std::string(text);
}

}  // namespace minfer::jinja
