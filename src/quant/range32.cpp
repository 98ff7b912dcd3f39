// The arithmetic follows the Python package `gguf` (0.19) operation by operation, in f32, so that bytes agree.
#include "quant/range32.h"

#include <algorithm>
#include <cmath>

#include "quant/block_io.h"

namespace minfer {
namespace {

float max_magnitude(const float* x) {
  float amax = 0.0f;
  for (int i = 0; i < kQuant32; ++i) amax = std::max(amax, std::fabs(x[i]));
  return amax;
}

float reciprocal_or_zero(float d) {
  return d == 0.0f ? 0.0f : 1.0f / d;
}

}  // namespace

Symmetric32 quantize_symmetric32(const float* x, int half) {
  // The first of equal magnitudes decides the sign of d.
  float extreme = x[0];
  for (int i = 1; i < kQuant32; ++i) {
    if (std::fabs(x[i]) > std::fabs(extreme)) extreme = x[i];
  }
  const bool tiny = extreme != 0.0f && std::fabs(extreme) < kTinyBlock;
  if (tiny) extreme = 0.0f;

  Symmetric32 out;
  out.d = extreme / static_cast<float>(-half);
  const float id = reciprocal_or_zero(out.d);
  const float offset = static_cast<float>(half) + 0.5f;
  for (int i = 0; i < kQuant32; ++i) {
    out.codes[static_cast<size_t>(i)] = truncate_to_code(x[i] * id + offset, 2 * half - 1);
  }
  return out;
}

Affine32 quantize_affine32(const float* x, int top) {
  const float amax = max_magnitude(x);
  if (amax != 0.0f && amax < kTinyBlock) return Affine32{};

  const auto [min, max] = std::minmax_element(x, x + kQuant32);
  Affine32 out;
  out.m = *min;
  out.d = (*max - *min) / static_cast<float>(top);
  const float id = reciprocal_or_zero(out.d);
  for (int i = 0; i < kQuant32; ++i) {
    out.codes[static_cast<size_t>(i)] = truncate_to_code((x[i] - out.m) * id + 0.5f, top);
  }
  return out;
}

void pack_nibbles32(const Codes32& codes, uint8_t qs[kQuant32 / 2]) {
  for (size_t j = 0; j < kQuant32 / 2; ++j) {
    qs[j] = static_cast<uint8_t>((codes[j] & 0x0F) | (codes[j + 16] & 0x0F) << 4);
  }
}

uint32_t pack_fifth_bits32(const Codes32& codes) {
  uint32_t bits = 0;
  for (size_t i = 0; i < kQuant32; ++i) bits |= static_cast<uint32_t>(codes[i] >> 4 & 1) << i;
  return bits;
}

}  // namespace minfer
