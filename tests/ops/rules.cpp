#include "tests/ops/rules.h"

#include <array>
#include <cmath>
#include <limits>

namespace minfer::ops_test {
namespace {

using Lanes = std::array<float, 16>;

// Lane j takes lane j + w for w = 8, 4, 2, 1: written as the tree that this is.
float folded(const Lanes& lane, size_t first, size_t stride) {
  if (stride == 16) return lane[first];
  return folded(lane, first, stride * 2) + folded(lane, first + stride, stride * 2);
}

}  // namespace

double f16_value(uint16_t code) {
  const int exponent = code >> 10 & 31;
  const int fraction = code & 1023;
  const double sign = (code & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

uint16_t f16_code(float value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7E00);
  const double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= 65520.0) return static_cast<uint16_t>(sign | 0x7C00);
  // The spacing of codes is 2^(exponent - 10); rounding up to the next power of two carries into the exponent.
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const int steps = static_cast<int>(std::rint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<uint16_t>(sign | (((exponent + 14) << 10) + steps));
}

float lane_sum(const std::vector<float>& terms) {
  Lanes lane{};
  for (size_t i = 0; i < terms.size(); ++i) lane[i % 16] += terms[i];
  return folded(lane, 0, 1);
}

float lane_sum_of_squares(const std::vector<float>& x) {
  Lanes lane{};
  for (size_t i = 0; i < x.size(); ++i) lane[i % 16] = std::fmaf(x[i], x[i], lane[i % 16]);
  return folded(lane, 0, 1);
}

std::vector<ActBlock> act_blocks(const std::vector<float>& x) {
  std::vector<ActBlock> blocks(x.size() / 32);
  for (size_t b = 0; b < blocks.size(); ++b) {
    ActBlock& block = blocks[b];
    block = ActBlock{};
    float largest = 0.0F;
    bool finite = true;
    for (size_t i = 32 * b; i < 32 * b + 32; ++i) {
      if (!std::isfinite(x[i])) finite = false;
      if (std::fabs(x[i]) > largest) largest = std::fabs(x[i]);
    }
    if (!finite) block.dx = std::numeric_limits<float>::quiet_NaN();
    if (!finite || largest < 1e-30F) continue;
    block.dx = largest / 127.0F;
    const float reciprocal = 127.0F / largest;
    for (size_t i = 0; i < 32; ++i) {
      int q = static_cast<int>(std::rint(x[32 * b + i] * reciprocal));
      q = q > 127 ? 127 : q;
      q = q < -127 ? -127 : q;
      block.q[i] = static_cast<int8_t>(q);
      block.sum[i < 16 ? 0 : 1] = static_cast<int16_t>(block.sum[i < 16 ? 0 : 1] + q);
    }
  }
  return blocks;
}

}  // namespace minfer::ops_test
