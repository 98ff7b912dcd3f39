// The twelve bytes in which Q4_K and Q5_K keep eight 6-bit scales and eight 6-bit minimums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace minfer {

struct KScales {
  std::array<uint8_t, 8> scale;    // 0..63, one per 32 elements
  std::array<uint8_t, 8> minimum;  // 0..63
};

// Bytes 0 to 3: scales 0 to 3 in the low six bits; 4 to 7: minimums 0 to 3. Of number i = 4 to 7, the low four bits lie
// in byte 4 + i (scale: low nibble, minimum: high nibble), the high two bits on top of byte i - 4 (scale) or i
// (minimum).
inline KScales unpack_k_scales(const uint8_t packed[12]) {
  KScales out;
  for (size_t i = 0; i < 4; ++i) {
    out.scale[i] = packed[i] & 0x3F;
    out.minimum[i] = packed[i + 4] & 0x3F;
    out.scale[i + 4] = static_cast<uint8_t>((packed[i + 8] & 0x0F) | (packed[i] >> 6) << 4);
    out.minimum[i + 4] = static_cast<uint8_t>(packed[i + 8] >> 4 | (packed[i + 4] >> 6) << 4);
  }
  return out;
}

}  // namespace minfer
