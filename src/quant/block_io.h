// How the quantizers touch memory: blocks in a file are unaligned, so they are copied in and out whole.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace minfer {

// Blocks whose largest magnitude is below this are stored as zeros: the reciprocal of their scale could overflow.
inline constexpr float kTinyBlock = 1e-30f;

template <typename Block>
Block load_block(const std::byte* src, int64_t index) {
  static_assert(std::is_trivially_copyable_v<Block>);
  Block block;
  std::memcpy(&block, src + static_cast<size_t>(index) * sizeof(Block), sizeof(Block));
  return block;
}

template <typename Block>
void store_block(const Block& block, std::byte* dst, int64_t index) {
  static_assert(std::is_trivially_copyable_v<Block>);
  std::memcpy(dst + static_cast<size_t>(index) * sizeof(Block), &block, sizeof(Block));
}

// `x` without its fraction, limited to 0..top. NaN and infinities give 0, as the format's reference converts them.
inline uint8_t truncate_to_code(float x, int top) {
  if (!std::isfinite(x) || x <= 0.0f) return 0;
  return x >= static_cast<float>(top) ? static_cast<uint8_t>(top) : static_cast<uint8_t>(x);
}

}  // namespace minfer
