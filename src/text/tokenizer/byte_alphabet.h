// The alphabet of byte-level BPE (published with GPT-2): every byte has a printable code point, in which the texts of
// normal tokens are written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace minfer {

// Appends the letters (UTF-8) of `bytes` to `out`. Printable Latin-1 bytes stand for themselves; the 68 others are
// U+0100 and on, in their order.
void append_letters(std::string_view bytes, std::string& out);

// Appends the bytes that `letters` stand for to `out`. A code point outside the alphabet stands for its own UTF-8
// bytes, and so does a byte that is not UTF-8.
void append_bytes(std::string_view letters, std::string& out);

}  // namespace minfer
