// A hash over rows of logits, by which anybody can compare two runs bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/hash.h"

namespace minfer {

// FNV-1a 64 over the little-endian f32 rows, in the order added; every NaN counts as the same value.
class LogitHash {
 public:
  void add(std::span<const float> logits);
  uint64_t value() const;
  // 16 hexadecimal digits.
  std::string text() const;

 private:
  Fnv1a64 hash_;
};

}  // namespace minfer
