// r = 1 / sqrt(Σx² / n + eps); y = (x·r)·gain, per row or per head.
#include "graph/ops/rms_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ops/elementwise.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

struct NormShape {
  int64_t capacity;
  int64_t rows;
  int64_t n;
  int64_t groups;
  float eps;
  Fill fill = Fill::kPlain;
};

constexpr NormShape kShapes[] = {
    {1, 1, 1, 1, 1e-6F},
    {1, 1, 5, 1, 1e-5F},
    {4, 3, 16, 1, 1e-6F},
    {3, 2, 17, 3, 1e-6F},
    {2, 2, 576, 1, 1e-5F},
    {5, 4, 896, 1, 1e-6F},
    {3, 3, 128, 7, 1e-6F},
    {4, 1, 31, 2, 0.0F},
    {2, 1, 64, 14, 1e-6F},
    {6, 5, 24, 2, 1.0F},
    {6, 6, 3, 5, 1e-5F, Fill::kHostile},
    {3, 3, 23, 3, 1e-5F},
    {2, 2, 40, 2, 1e-5F},
    {2, 2, 8, 2, 1e-5F, Fill::kHostile},
};

std::vector<float> rule(const std::vector<float>& x, const std::vector<float>& gain, float eps) {
  const size_t n = gain.size();
  std::vector<float> y;
  for (size_t first = 0; first < x.size(); first += n) {
    const auto begin = x.begin() + static_cast<int64_t>(first);
    const float sum = lane_sum_of_squares(std::vector<float>(begin, begin + static_cast<int64_t>(n)));
    const float r = 1.0F / std::sqrt(sum / static_cast<float>(n) + eps);
    for (size_t i = 0; i < n; ++i) y.push_back(x[first + i] * r * gain[i]);
  }
  return y;
}

void check_norm(const NormShape& shape, const std::vector<float>& x, const std::vector<float>& gain,
                const std::vector<float>& y) {
  OpCase c(fmt::format("rms_norm {}x{} groups of {}", shape.rows, shape.groups, shape.n), shape.capacity);
  const WeightId w = c.weight("gain", DType::kF32, {shape.n}, to_bytes(gain));
  const ValueId in = c.input("x", DType::kF32, {shape.n * shape.groups});
  const ValueId out = rms_norm(c.builder(), in, w, shape.eps, "y");
  c.step(shape.rows);
  c.feed(in, to_bytes(x));
  c.expect(out, to_bytes(y));
  c.check();
}

TEST(RmsNormOp, FollowsTheRule) {
  for (const NormShape& shape : kShapes) {
    const std::vector<float> x = random_floats(6, shape.rows * shape.n * shape.groups, shape.fill);
    const std::vector<float> gain = random_floats(7, shape.n);
    check_norm(shape, x, gain, rule(x, gain, shape.eps));
  }
}

TEST(RmsNormOp, IsCloseToTheRealFunction) {
  const NormShape shape{3, 3, 896, 1, 1e-6F};
  const std::vector<float> x = random_floats(8, 3 * 896);
  const std::vector<float> gain = random_floats(9, 896);
  const std::vector<float> y = rule(x, gain, shape.eps);
  for (size_t i = 0; i < x.size(); ++i) {
    long double sum = 0;
    for (size_t j = 0; j < 896; ++j) sum += static_cast<long double>(x[i / 896 * 896 + j]) * x[i / 896 * 896 + j];
    const long double real = x[i] / std::sqrt(sum / 896 + shape.eps) * gain[i % 896];
    EXPECT_NEAR(y[i], static_cast<double>(real), 1e-6 * std::fabs(static_cast<double>(real)));
  }
  check_norm(shape, x, gain, y);
}

TEST(RmsNormOp, KeepsAZeroRowAndLimitsItsDamageToAGroup) {
  const NormShape shape{1, 1, 2, 4, 0.25F};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  // Of {0, -0}: r = 2. Of {1e30, 1}: the squares overflow, r = 0. Of {inf, 1}: r = 0, inf · 0 is NaN.
  check_norm(shape, {0.0F, -0.0F, 1e30F, 1.0F, inf, 1.0F, nan, 1.0F}, {3.0F, 3.0F},
             {0.0F, -0.0F, 0.0F, 0.0F, nan, 0.0F, nan, nan});
}

}  // namespace
}  // namespace minfer::ops_test
