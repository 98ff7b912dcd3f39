// Hashes of short texts and of numbers, for tables in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace minfer {

// Two words that tell texts of at most 16 bytes apart, given their lengths.
struct ShortTextKey {
  uint64_t head = 0;
  uint64_t tail = 0;

  bool operator==(const ShortTextKey&) const = default;
};

namespace hash_detail {

// Odd numbers without a pattern: the fractions of the golden ratio and of the square root of 3.
inline constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
inline constexpr uint64_t kFinalFactor = 0xBB67AE8584CAA73B;

template <typename T>
uint64_t load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// Reads overlap where `n` is not a power of two.
inline uint64_t load_up_to_eight(const char* bytes, size_t n) {
  if (n >= 8) return load<uint64_t>(bytes);
  if (n >= 4) return load<uint32_t>(bytes) << 32 | load<uint32_t>(bytes + n - 4);
  if (n == 0) return 0;
  return load<uint8_t>(bytes) | load<uint8_t>(bytes + n / 2) << 8 | load<uint8_t>(bytes + n - 1) << 16;
}

inline uint64_t step(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kFactor;
  return hash ^ hash >> 32;
}

inline uint64_t finish(uint64_t hash) {
  hash *= kFinalFactor;
  return hash ^ hash >> 29;
}

}  // namespace hash_detail

// 64 bits that depend on every byte of `text`. They are the same on machines of one byte order only.
inline uint64_t hash_text(std::string_view text) {
  const char* bytes = text.data();
  size_t n_left = text.size();
  uint64_t hash = text.size();
  for (; n_left > 8; n_left -= 8, bytes += 8) hash = hash_detail::step(hash, hash_detail::load<uint64_t>(bytes));
  return hash_detail::finish(hash_detail::step(hash, hash_detail::load_up_to_eight(bytes, n_left)));
}

// The same of a number.
inline uint64_t hash_number(uint64_t number) {
  return hash_detail::finish(hash_detail::step(0, number));
}

// `text` has at most 16 bytes.
inline ShortTextKey short_text_key(std::string_view text) {
  if (text.size() <= 8) return {hash_detail::load_up_to_eight(text.data(), text.size()), 0};
  return {hash_detail::load<uint64_t>(text.data()), hash_detail::load<uint64_t>(text.data() + text.size() - 8)};
}

inline uint64_t hash_short_text(const ShortTextKey& key, size_t size) {
  return hash_detail::finish(hash_detail::step(hash_detail::step(size, key.head), key.tail));
}

}  // namespace minfer
