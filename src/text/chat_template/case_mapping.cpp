// Python's case mappings: utf8proc's one-to-one tables, plus the characters that map to several.
#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "text/chat_template/unicode.h"

namespace minfer::jinja::unicode {
namespace {

struct CaseRow {
  char32_t from;
  std::array<char32_t, 3> upper;
  std::array<char32_t, 3> title;
};

#define ARRAY(...) \
  { __VA_ARGS__ }
#define CASE_ROW(from, upper, title) CaseRow{from, {upper}, {title}},
constexpr CaseRow kRows[] = {
#include "text/chat_template/case_table.inc"
};
#undef CASE_ROW
#undef ARRAY

const CaseRow* find_row(char32_t c) {
  const auto* row = std::lower_bound(std::begin(kRows), std::end(kRows), c,
                                     [](const CaseRow& r, char32_t key) { return r.from < key; });
  return row != std::end(kRows) && row->from == c ? row : nullptr;
}

void append_all(std::u32string& out, const std::array<char32_t, 3>& mapped) {
  for (const char32_t c : mapped) {
    if (c != 0) out += c;
  }
}

char32_t simple(utf8proc_int32_t (*map)(utf8proc_int32_t), char32_t c) {
  return static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(c)));
}

void append_upper(std::u32string& out, char32_t c) {
  if (const CaseRow* row = c < 0x80 ? nullptr : find_row(c)) return append_all(out, row->upper);
  out += simple(utf8proc_toupper, c);
}

void append_title(std::u32string& out, char32_t c) {
  if (const CaseRow* row = c < 0x80 ? nullptr : find_row(c)) return append_all(out, row->title);
  out += simple(utf8proc_totitle, c);
}

bool is_cased(char32_t c) {
  return is_upper(c) || is_lower(c) || is_title(c);
}

// Characters that the rule for a final sigma looks through.
bool is_case_ignorable(char32_t c) {
  if (c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x2019) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return false;
  }
}

bool is_final_sigma(std::u32string_view text, size_t i) {
  size_t before = i;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  if (before == 0 || !is_cased(text[before - 1])) return false;
  size_t after = i + 1;
  while (after < text.size() && is_case_ignorable(text[after])) ++after;
  return after == text.size() || !is_cased(text[after]);
}

void append_lower(std::u32string& out, std::u32string_view text, size_t i) {
  constexpr char32_t kCapitalSigma = 0x3A3;
  constexpr char32_t kDottedI = 0x130;
  const char32_t c = text[i];
  if (c == kCapitalSigma) {
    out += is_final_sigma(text, i) ? U'\u03C2' : U'\u03C3';
  } else if (c == kDottedI) {
    out += U"i\u0307";
  } else {
    out += simple(utf8proc_tolower, c);
  }
}

}  // namespace

std::string upper(std::string_view text) {
  std::u32string out;
  for (const char32_t c : decode(text)) append_upper(out, c);
  return encode(out);
}

std::string lower(std::string_view text) {
  const std::u32string in = decode(text);
  std::u32string out;
  for (size_t i = 0; i < in.size(); ++i) append_lower(out, in, i);
  return encode(out);
}

std::string swap_case(std::string_view text) {
  const std::u32string in = decode(text);
  std::u32string out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (is_upper(in[i])) {
      append_lower(out, in, i);
    } else if (is_lower(in[i])) {
      append_upper(out, in[i]);
    } else {
      out += in[i];
    }
  }
  return encode(out);
}

std::string capitalize(std::string_view text) {
  const std::u32string in = decode(text);
  std::u32string out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (i == 0) {
      append_title(out, in[i]);
    } else {
      append_lower(out, in, i);
    }
  }
  return encode(out);
}

std::string title(std::string_view text) {
  const std::u32string in = decode(text);
  std::u32string out;
  bool in_word = false;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in_word) {
      append_lower(out, in, i);
    } else {
      append_title(out, in[i]);
    }
    in_word = is_cased(in[i]);
  }
  return encode(out);
}

}  // namespace minfer::jinja::unicode
