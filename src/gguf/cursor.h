// Reads the front of a GGUF file piece by piece; every read is checked against the bytes that are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace minfer {

// Throws kBadFile "GGUF: <message> (offset N)".
template <typename... Args>
[[noreturn]] void bad_gguf(uint64_t offset, fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorCode::kBadFile, "GGUF: {} (offset {})", fmt::format(format, std::forward<Args>(args)...), offset);
}

class GgufCursor {
 public:
  explicit GgufCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint64_t offset() const { return offset_; }
  uint64_t left() const { return bytes_.size() - offset_; }

  // A little-endian number. `what` names it in the error about a file that ends too early; here and below.
  template <typename T>
  T number(std::string_view what) {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }

  // The next `n` bytes.
  std::span<const std::byte> take(uint64_t n, std::string_view what);

  // A u64 length and that many bytes, at most `max_bytes`. The view lives as long as the file's bytes.
  std::string_view string(uint64_t max_bytes, std::string_view what);

 private:
  std::span<const std::byte> bytes_;
  uint64_t offset_ = 0;
};

}  // namespace minfer
