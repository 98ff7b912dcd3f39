// Scale searches shared by the 4- and 5-bit types of 32 elements.
#pragma once

#include <array>
#include <cstdint>

namespace minfer {

inline constexpr int kQuant32 = 32;  // elements in a block of these types

using Codes32 = std::array<uint8_t, kQuant32>;

// Result of quantizing 32 floats: codes, and the numbers that bring them back. Both are f32 before rounding to f16.
struct Symmetric32 {
  float d;  // x ≈ d * (code - half)
  Codes32 codes;
};

struct Affine32 {
  float d;  // x ≈ d * code + m
  float m;
  Codes32 codes;
};

// d = (the value of largest magnitude) / -half, code = trunc(x / d + half + 0.5) in 0..2*half-1.
Symmetric32 quantize_symmetric32(const float* x, int half);

// d = (max - min) / top, code = trunc((x - min) / d + 0.5) in 0..top.
Affine32 quantize_affine32(const float* x, int top);

// Byte j holds the low four bits of elements j (low nibble) and j + 16 (high nibble).
void pack_nibbles32(const Codes32& codes, uint8_t qs[kQuant32 / 2]);

// Bit j of the result is bit 4 of element j.
uint32_t pack_fifth_bits32(const Codes32& codes);

// Inverse of pack_nibbles32: four bits of element i.
inline int nibble32(const uint8_t qs[kQuant32 / 2], int i) {
  return i < 16 ? qs[i] & 0x0F : qs[i - 16] >> 4;
}

// Five bits of element i.
inline int five_bits32(const uint8_t qs[kQuant32 / 2], uint32_t qh, int i) {
  return nibble32(qs, i) | static_cast<int>((qh >> i) & 1u) << 4;
}

}  // namespace minfer
