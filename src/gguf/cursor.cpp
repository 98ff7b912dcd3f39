// Bounds checks of the GGUF reader.
#include "gguf/cursor.h"

namespace minfer {

std::span<const std::byte> GgufCursor::take(uint64_t n, std::string_view what) {
  if (n > left()) {
    bad_gguf(offset_, "the file ends inside {}: {} bytes needed, {} left; it is truncated or damaged", what, n, left());
  }
  offset_ += n;
  return bytes_.subspan(offset_ - n, n);
}

std::string_view GgufCursor::string(uint64_t max_bytes, std::string_view what) {
  const uint64_t start = offset_;
  const auto length = number<uint64_t>(what);
  if (length > max_bytes) bad_gguf(start, "{} has {} bytes, expected at most {}", what, length, max_bytes);
  const std::span<const std::byte> text = take(length, what);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

}  // namespace minfer
