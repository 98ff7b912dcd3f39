#include "text/tokenizer/normalizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"

namespace minfer {
namespace {

// The reference tokenizers normalize with Unicode 9. What came later is to them a starter that composes with nothing;
// these are the later characters for which that makes a difference (up to Unicode 16).
struct Range {
  int32_t first;
  int32_t last;
};

constexpr Range kLater[] = {
    {0x07FD, 0x07FD},   {0x0897, 0x089F},   {0x08CA, 0x08D3},   {0x09FE, 0x09FE},   {0x0C3C, 0x0C3C},
    {0x0D3B, 0x0D3C},   {0x0EBA, 0x0EBA},   {0x1715, 0x1715},   {0x1ABF, 0x1ACE},   {0x1DF6, 0x1DFA},
    {0xA82C, 0xA82C},   {0x105C0, 0x105F3}, {0x10D24, 0x10D27}, {0x10D69, 0x10D6D}, {0x10EAB, 0x10EAC},
    {0x10EFC, 0x10EFF}, {0x10F46, 0x10F50}, {0x10F82, 0x10F85}, {0x11070, 0x11070}, {0x1133B, 0x1133B},
    {0x11380, 0x113E2}, {0x1145E, 0x1145E}, {0x11839, 0x1183A}, {0x11930, 0x11943}, {0x119E0, 0x119E0},
    {0x11A34, 0x11A34}, {0x11A47, 0x11A47}, {0x11A99, 0x11A99}, {0x11D42, 0x11D45}, {0x11D97, 0x11D97},
    {0x11F41, 0x11F42}, {0x16100, 0x16139}, {0x16D40, 0x16D79}, {0x16FF0, 0x16FF1}, {0x1E08F, 0x1E08F},
    {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF}, {0x1E4EC, 0x1E4EF}, {0x1E5EE, 0x1E5EF},
};

bool is_later(int32_t code_point) {
  const auto* it =
      std::partition_point(std::begin(kLater), std::end(kLater), [&](Range range) { return range.last < code_point; });
  return it != std::end(kLater) && it->first <= code_point;
}

int combining_class(int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// Reads the character at the start of `text` and returns its bytes.
size_t read_character(std::string_view text, int32_t& code_point) {
  const auto length = utf8proc_iterate(reinterpret_cast<const uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size(), 4)), &code_point);
  check(length > 0, "[text] to_nfc got bytes that are not UTF-8");
  return static_cast<size_t>(length);
}

std::vector<int32_t> decompose(std::string_view text) {
  constexpr int kLongestDecomposition = 32;  // 4 suffices for canonical decompositions
  std::vector<int32_t> out;
  out.reserve(text.size());
  int32_t part[kLongestDecomposition];
  while (!text.empty()) {
    int32_t code_point = 0;
    text.remove_prefix(read_character(text, code_point));
    if (is_later(code_point)) {
      out.push_back(code_point);
      continue;
    }
    int boundary_state = 0;
    const auto n =
        utf8proc_decompose_char(code_point, part, kLongestDecomposition,
                                static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE), &boundary_state);
    check(n > 0 && n <= kLongestDecomposition, "[text] utf8proc cannot decompose U+{:04X}", code_point);
    out.insert(out.end(), part, part + n);
  }
  return out;
}

// Marks between two starters are put in the order of their class. (utf8proc's own ordering needs quadratic time.)
void order_marks(std::vector<int32_t>& text) {
  const auto is_mark = [](int32_t c) { return !is_later(c) && combining_class(c) != 0; };
  auto run = std::find_if(text.begin(), text.end(), is_mark);
  while (run != text.end()) {
    const auto end = std::find_if_not(run, text.end(), is_mark);
    std::stable_sort(run, end, [](int32_t a, int32_t b) { return combining_class(a) < combining_class(b); });
    run = std::find_if(end, text.end(), is_mark);
  }
}

// Composes [begin, end), which is decomposed and ordered, in place; returns the new end.
int32_t* compose(int32_t* begin, int32_t* end) {
  const auto n =
      utf8proc_normalize_utf32(begin, end - begin, static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  check(n >= 0, "[text] utf8proc cannot compose: {}", n);
  return begin + n;
}

void append_utf8(std::span<const int32_t> code_points, std::string& out) {
  for (const int32_t code_point : code_points) {
    uint8_t bytes[4];
    const auto length = utf8proc_encode_char(code_point, bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
}

// Every character below U+0300 is its own composition, has class 0 and is no second part of a composition; U+0300
// starts with the byte 0xCC.
bool is_low(char c) {
  return static_cast<uint8_t>(c) < 0xCC;
}

bool is_continuation(char c) {
  return (static_cast<uint8_t>(c) & 0xC0) == 0x80;
}

// Further characters of which the same is true: the common ones of several scripts, sorted.
constexpr Range kSettled[] = {
    {0x0388, 0x0482}, {0x048A, 0x0556}, {0x0561, 0x0587}, {0x05D0, 0x05EA}, {0x0E01, 0x0E30},   {0x1E00, 0x1EFF},
    {0x2010, 0x205E}, {0x2190, 0x2328}, {0x2460, 0x2ADB}, {0x3001, 0x3029}, {0x3030, 0x3098},   {0x309B, 0x312D},
    {0x3400, 0x4DB5}, {0x4E00, 0x9FD5}, {0xAC00, 0xD7A3}, {0xFF01, 0xFFBE}, {0x1F300, 0x1F64F},
};

// A composed text of settled and low characters is in canonical composition.
bool is_settled(int32_t code_point) {
  const auto* it = std::find_if(std::begin(kSettled), std::end(kSettled),
                                [&](const Range& range) { return code_point <= range.last; });
  return it != std::end(kSettled) && it->first <= code_point;
}

bool is_settled(std::string_view text) {
  while (!text.empty()) {
    int32_t code_point = 0;
    text.remove_prefix(read_character(text, code_point));
    if (code_point >= 0x300 && !is_settled(code_point)) return false;
  }
  return true;
}

// Appends `text` in canonical composition.
void append_nfc(std::string_view text, std::string& out) {
  std::vector<int32_t> code_points = decompose(text);
  order_marks(code_points);
  int32_t* begin = code_points.data();
  int32_t* const end = begin + code_points.size();
  while (begin != end) {
    int32_t* const later = std::find_if(begin, end, is_later);
    append_utf8({begin, compose(begin, later)}, out);
    if (later == end) break;
    append_utf8({later, 1}, out);
    begin = later + 1;
  }
}

// The next stretch of `text` from `from` on that may not be composed: characters that are not low, and the one before,
// which they may compose with. [size, size) when there is none.
std::pair<size_t, size_t> find_high(std::string_view text, size_t from) {
  size_t begin = from;
  while (begin < text.size() && is_low(text[begin])) ++begin;
  size_t end = begin;
  while (end < text.size() && (!is_low(text[end]) || is_continuation(text[end]))) ++end;
  if (begin == end) return {end, end};
  if (begin > from) --begin;
  while (begin > from && is_continuation(text[begin])) --begin;
  return {begin, end};
}

}  // namespace

std::string_view to_nfc(std::string_view text, std::string& buffer) {
  buffer.clear();
  size_t n_done = 0;  // bytes whose composition is in the buffer
  for (auto [begin, end] = find_high(text, 0); begin < end; std::tie(begin, end) = find_high(text, end)) {
    if (is_settled(text.substr(begin, end - begin))) continue;
    buffer.append(text.substr(n_done, begin - n_done));
    append_nfc(text.substr(begin, end - begin), buffer);
    n_done = end;
  }
  if (n_done == 0) return text;
  return buffer.append(text.substr(n_done));
}

}  // namespace minfer
