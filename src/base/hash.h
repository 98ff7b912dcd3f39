// FNV-1a with 64 bits, fed piece by piece: the logit hash and other fingerprints that must be the same everywhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace minfer {

// Source: G. Fowler, L. C. Noll, K.-P. Vo; offset basis and prime of the 64-bit variant.
class Fnv1a64 {
 public:
  void update(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) update_byte(static_cast<uint8_t>(b));
  }
  void update(std::string_view text) {
    for (const char c : text) update_byte(static_cast<uint8_t>(c));
  }
  // The four bytes of `value`, lowest first, on every machine.
  void update_u32(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) update_byte(static_cast<uint8_t>(value >> shift));
  }
  // Little-endian f32 values; every NaN counts as the same value.
  void update_floats(std::span<const float> values) {
    for (const float v : values) update_u32(v != v ? 0x7FC00000u : std::bit_cast<uint32_t>(v));
  }

  uint64_t value() const { return state_; }

 private:
  void update_byte(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001B3u; }

  uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace minfer
