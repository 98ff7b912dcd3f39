// Cosines and sines of the rope, against long double arithmetic of the C library.
#include "graph/ops/rope_angles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ops/elementwise.h"

namespace minfer::ops_test {
namespace {

struct AnglesShape {
  int64_t capacity;
  std::vector<int32_t> positions;
  int head_dim;
  double base;
  float linear_factor;
  bool has_factors;
};

std::vector<float> rule(const AnglesShape& shape, const std::vector<float>& factors) {
  const int half = shape.head_dim / 2;
  std::vector<float> out;
  for (int32_t position : shape.positions) {
    std::vector<float> sines;
    for (int i = 0; i < half; ++i) {
      const float factor = factors.empty() ? shape.linear_factor : factors[static_cast<size_t>(i)];
      const long double exponent = -2.0L * i / shape.head_dim * std::log(static_cast<long double>(shape.base));
      const auto freq = static_cast<float>(std::exp(exponent) / factor);
      const double angle = static_cast<double>(position) * static_cast<double>(freq);
      out.push_back(static_cast<float>(std::cos(static_cast<long double>(angle))));
      sines.push_back(static_cast<float>(std::sin(static_cast<long double>(angle))));
    }
    out.insert(out.end(), sines.begin(), sines.end());
  }
  return out;
}

TEST(RopeAnglesOp, RoundsTheRealCosinesAndSinesOnce) {
  const std::vector<AnglesShape> shapes = {
      {4, {0, 1, 2}, 2, 10000.0, 1.0F, false},
      {4, {0, 1, 63, 4095}, 64, 10000.0, 1.0F, false},
      {8, {131071, 7, 32767}, 128, 1000000.0, 1.0F, false},
      {3, {100, 2000}, 8, 500000.0, 4.0F, false},
      {3, {5, 8191, 16383}, 64, 500000.0, 1.0F, true},
      {1, {2147483647}, 24, 10000.0, 1.0F, false},
      {5, {0, 1, 2, 3, 4}, 96, 100000.0, 1.5F, false},
  };
  for (const AnglesShape& shape : shapes) {
    OpCase c(fmt::format("rope_angles {} of base {}", shape.head_dim, shape.base), shape.capacity);
    std::vector<float> factors;
    WeightId weight = kNone;
    if (shape.has_factors) {
      for (int i = 0; i < shape.head_dim / 2; ++i) factors.push_back(1.0F + static_cast<float>(i) * 0.23F);
      weight = c.weight("rope_freqs.weight", DType::kF32, {shape.head_dim / 2}, to_bytes(factors));
    }
    const ValueId positions = c.input("positions", DType::kI32, {});
    RopeAnglesParams params;
    params.head_dim = shape.head_dim;
    params.base = shape.base;
    params.linear_factor = shape.linear_factor;
    const ValueId out = rope_angles(c.builder(), positions, weight, params, "angles");
    c.step(static_cast<int64_t>(shape.positions.size()));
    c.feed(positions, to_bytes(shape.positions));
    c.expect(out, to_bytes(rule(shape, factors)));
    c.check();
  }
}

}  // namespace
}  // namespace minfer::ops_test
