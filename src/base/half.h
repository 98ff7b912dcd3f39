// Conversions between f32 and the two 16-bit float formats, in plain integer arithmetic: the same bits on every
// machine.
#pragma once

#include <bit>
#include <cstdint>

namespace minfer {

// IEEE binary16 to f32, exact. A NaN keeps its sign and payload and comes out quiet.
inline float f16_to_f32(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 0x1Fu;
  const uint32_t mantissa = h & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal: mantissa * 2^-24, exact in f32
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  if (exponent == 31) {
    const uint32_t quiet = mantissa != 0 ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7F800000u | quiet | (mantissa << 13));
  }
  return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

// f32 to IEEE binary16, to nearest, ties to even, subnormals included; from 65520 on infinity. NaN stays NaN (quiet).
inline uint16_t f32_to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t result = 0;
  if (magnitude > 0x7F800000u) {
    result = 0x7E00u | ((magnitude >> 13) & 0x3FFu);
  } else if (magnitude >= 0x47800000u) {  // 65536 and above
    result = 0x7C00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14 and above: normal, or rounds up to infinity
    magnitude += 0xFFFu + ((magnitude >> 13) & 1u);
    result = (magnitude - 0x38000000u) >> 13;
  } else if (magnitude >= 0x33000000u) {  // 2^-25 and above: subnormal, or rounds to 0 or to 2^-14
    const uint32_t shift = 126u - (magnitude >> 23);
    const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
    const uint32_t rest = mantissa & ((1u << shift) - 1u);
    const uint32_t half = 1u << (shift - 1u);
    result = mantissa >> shift;
    if (rest > half || (rest == half && (result & 1u) != 0)) ++result;
  }
  return static_cast<uint16_t>(sign | result);
}

// bfloat16 to f32, exact.
inline float bf16_to_f32(uint16_t h) {
  return std::bit_cast<float>(static_cast<uint32_t>(h) << 16);
}

// f32 to bfloat16, to nearest, ties to even. A NaN keeps the upper half of its bits, with the quiet bit set.
inline uint16_t f32_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace minfer
