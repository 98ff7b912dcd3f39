#include "text/tokenizer/normalizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace minfer {
namespace {

// Every character below U+0300 is its own composition and combines with nothing; U+0300 starts with the byte 0xCC.
bool is_composed_already(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) >= 0xCC; });
}

int combining_class(int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

std::vector<int32_t> decompose(std::string_view text) {
  constexpr int kLongestDecomposition = 32;  // 4 suffices for canonical decompositions
  std::vector<int32_t> out;
  out.reserve(text.size());
  int32_t part[kLongestDecomposition];
  while (!text.empty()) {
    int32_t code_point = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const uint8_t*>(text.data()),
                                         static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size(), 4)), &code_point);
    check(length > 0, "[text] to_nfc got bytes that are not UTF-8");
    int boundary_state = 0;
    const auto n =
        utf8proc_decompose_char(code_point, part, kLongestDecomposition,
                                static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE), &boundary_state);
    check(n > 0 && n <= kLongestDecomposition, "[text] utf8proc cannot decompose U+{:04X}", code_point);
    out.insert(out.end(), part, part + n);
    text.remove_prefix(static_cast<size_t>(length));
  }
  return out;
}

// Marks between two starters are put in the order of their class. (utf8proc's own ordering needs quadratic time.)
void order_marks(std::vector<int32_t>& text) {
  const auto is_mark = [](int32_t c) { return combining_class(c) != 0; };
  auto run = std::find_if(text.begin(), text.end(), is_mark);
  while (run != text.end()) {
    const auto end = std::find_if_not(run, text.end(), is_mark);
    std::stable_sort(run, end, [](int32_t a, int32_t b) { return combining_class(a) < combining_class(b); });
    run = std::find_if(end, text.end(), is_mark);
  }
}

}  // namespace

std::string_view to_nfc(std::string_view text, std::string& buffer) {
  if (is_composed_already(text)) return text;
  std::vector<int32_t> code_points = decompose(text);
  order_marks(code_points);
  const auto n = utf8proc_normalize_utf32(code_points.data(), static_cast<utf8proc_ssize_t>(code_points.size()),
                                          static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  check(n >= 0, "[text] utf8proc cannot compose: {}", n);
  code_points.resize(static_cast<size_t>(n));
  buffer.clear();
  buffer.reserve(text.size());
  for (const int32_t code_point : code_points) {
    uint8_t bytes[4];
    const auto length = utf8proc_encode_char(code_point, bytes);
    buffer.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
  return buffer;
}

}  // namespace minfer
