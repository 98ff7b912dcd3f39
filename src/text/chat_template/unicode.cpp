#include "text/chat_template/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>

#include "text/chat_template/memory_account.h"

namespace minfer::jinja::unicode {
namespace {

constexpr char32_t kRawByte = 0xDC00;  // plus the byte

// Length of the UTF-8 sequence at `pos`, or 0 if there is none; `c` receives its code point.
size_t decode_sequence(std::string_view text, size_t pos, char32_t& c) {
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + pos;
  const auto left = static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size() - pos, 4));
  const utf8proc_ssize_t n = utf8proc_iterate(bytes, left, &code);
  if (n <= 0) return 0;
  c = static_cast<char32_t>(code);
  return static_cast<size_t>(n);
}

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

}  // namespace

char32_t next(std::string_view text, size_t& pos) {
  const auto byte = static_cast<uint8_t>(text[pos]);
  if (byte < 0x80) {
    ++pos;
    return byte;
  }
  char32_t c = 0;
  const size_t n = decode_sequence(text, pos, c);
  pos += n == 0 ? 1 : n;
  return n == 0 ? kRawByte + byte : c;
}

void append(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c >= kRawByte + 0x80 && c <= kRawByte + 0xFF) {
    out += static_cast<char>(c - kRawByte);
  } else {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t n = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(n));
  }
}

std::u32string decode(std::string_view text) {
  if (const MemoryAccount* memory = MemoryAccount::current()) memory->require(text.size() * sizeof(char32_t));
  std::u32string out;
  out.reserve(text.size());
  for (size_t pos = 0; pos < text.size();) out += next(text, pos);
  return out;
}

std::string encode(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : text) append(out, c);
  return out;
}

size_t length(std::string_view text) {
  if (is_ascii(text)) return text.size();
  size_t n = 0;
  for (size_t pos = 0; pos < text.size(); ++n) next(text, pos);
  return n;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_alpha(char32_t c) {
  const auto k = category(c);
  return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO;
}

bool is_decimal(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_ND;
}

bool is_digit(char32_t c) {
  return is_decimal(c) || c == 0xB2 || c == 0xB3 || c == 0xB9 || c == 0x2070 || (c >= 0x2074 && c <= 0x2079) ||
         (c >= 0x2080 && c <= 0x2089) || (c >= 0x2460 && c <= 0x2468) || (c >= 0x2474 && c <= 0x247C) ||
         (c >= 0x2488 && c <= 0x2490) || (c >= 0x2776 && c <= 0x277E);
}

bool is_numeric(char32_t c) {
  const auto k = category(c);
  return k == UTF8PROC_CATEGORY_ND || k == UTF8PROC_CATEGORY_NL || k == UTF8PROC_CATEGORY_NO;
}

bool is_printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  if (c >= kRawByte && c <= 0xDFFF) return false;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS: return false;
    default: return true;
  }
}

bool is_upper(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LU;
}
bool is_lower(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LL || c == 0xAA || c == 0xBA;
}
bool is_title(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LT;
}

bool is_line_break(char32_t c) {
  return (c >= 10 && c <= 13) || (c >= 28 && c <= 30) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

size_t leading_space(std::string_view text) {
  size_t pos = 0;
  for (size_t end = 0; end < text.size(); pos = end) {
    if (!is_space(next(text, end))) return pos;
  }
  return pos;
}

size_t trailing_space(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    size_t start = begin - 1;
    while (start > 0 && (static_cast<uint8_t>(text[start]) & 0xC0) == 0x80 && begin - start < 4) --start;
    size_t end = start;
    if (!is_space(next(text, end)) || end != begin) break;
    begin = start;
  }
  return text.size() - begin;
}

}  // namespace minfer::jinja::unicode
