#include "base/error.h"

#include <array>
#include <cstdint>

namespace minfer {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid_argument";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kBadFile: return "bad_file";
    case ErrorCode::kUnsupported: return "unsupported";
    case ErrorCode::kOutOfMemory: return "out_of_memory";
    case ErrorCode::kIo: return "io";
    case ErrorCode::kDevice: return "device";
    case ErrorCode::kCancelled: return "cancelled";
    case ErrorCode::kInternal: return "internal";
  }
  return "unknown";
}

Error Error::with_context(std::string_view context) const {
  return Error(code_, fmt::format("{}: {}", context, what()));
}

namespace {

// Length of the well-formed UTF-8 sequence at the start of `s`, or 0.
size_t utf8_sequence_length(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  const auto continues = [&](size_t i) { return i < s.size() && (byte(i) & 0xC0) == 0x80; };
  const uint8_t b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return continues(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (b == 0xE0 && byte(1) < 0xA0) return 0;
    if (b == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (b >= 0xF0 && b <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (b == 0xF0 && byte(1) < 0x90) return 0;
    if (b == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

bool is_control(std::string_view sequence) {
  const auto first = static_cast<uint8_t>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return sequence.size() == 2 && first == 0xC2 && static_cast<uint8_t>(sequence[1]) < 0xA0;
}

// Marks, embeddings, overrides and isolates of the bidirectional algorithm: they make a terminal show text in another
// order than it stands. U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
bool reorders_text(std::string_view sequence) {
  if (sequence.size() != 3 || static_cast<uint8_t>(sequence[0]) != 0xE2) return false;
  const auto second = static_cast<uint8_t>(sequence[1]);
  const auto third = static_cast<uint8_t>(sequence[2]);
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xAA && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

}  // namespace

std::string printable(std::string_view text, size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= max_bytes) return out + "…";
    size_t n = utf8_sequence_length(text);
    if (n == 0 || is_control(text.substr(0, n)) || reorders_text(text.substr(0, n))) {
      n = n == 0 ? 1 : n;
      for (size_t i = 0; i < n; ++i) out += fmt::format("\\x{:02X}", static_cast<uint8_t>(text[i]));
    } else {
      out.append(text.substr(0, n));
    }
    text.remove_prefix(n);
  }
  return out;
}

}  // namespace minfer
