#include "tests/ops/data.h"

#include <limits>

namespace minfer::ops_test {
namespace {

using Limits = std::numeric_limits<float>;

constexpr float kHostile[] = {
    Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),  0.0F,       -0.0F, Limits::max(),
    -Limits::max(),      Limits::min(),      Limits::denorm_min(), -0x1p-130F, 1e30F, 1e-30F};

}  // namespace

uint64_t Random::bits() {
  state_ += 0x9E3779B97F4A7C15U;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

float Random::uniform(float low, float high) {
  return low + static_cast<float>(bits() >> 40) * 0x1p-24F * (high - low);
}

std::vector<float> random_floats(uint64_t seed, int64_t n, Fill fill) {
  Random random(seed);
  std::vector<float> values(static_cast<size_t>(n));
  for (float& value : values) {
    value = random.uniform(-2.0F, 2.0F);
    if (fill == Fill::kHostile && random.below(4) == 0) value = kHostile[random.below(std::size(kHostile))];
  }
  return values;
}

Bytes random_bytes(uint64_t seed, int64_t n) {
  Random random(seed);
  Bytes bytes(static_cast<size_t>(n));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  return bytes;
}

}  // namespace minfer::ops_test
