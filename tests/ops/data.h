// Test data: bytes, and numbers that are the same on every machine and run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace minfer::ops_test {

using Bytes = std::vector<std::byte>;

// The elements of `values` as they lie in memory.
template <typename T>
Bytes to_bytes(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> from_bytes(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t bits();
  // In [low, high).
  float uniform(float low, float high);
  // In 0 … n-1.
  int64_t below(int64_t n) { return static_cast<int64_t>(bits() % static_cast<uint64_t>(n)); }

 private:
  uint64_t state_;
};

// What a case is filled with.
enum class Fill {
  kPlain,    // uniform in ±2
  kHostile,  // one in four is NaN, an infinity, a signed zero, a denormal, the largest or the smallest float
};

std::vector<float> random_floats(uint64_t seed, int64_t n, Fill fill = Fill::kPlain);

// All byte values.
Bytes random_bytes(uint64_t seed, int64_t n);

}  // namespace minfer::ops_test
