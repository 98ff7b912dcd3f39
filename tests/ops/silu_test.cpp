// y = x / (1 + exp(-x)).
#include "graph/ops/silu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ops/elementwise.h"
#include "tests/ops/gate_rule.h"

namespace minfer::ops_test {
namespace {

void check_silu(const std::string& name, int64_t capacity, int64_t rows, const std::vector<float>& x,
                const std::vector<float>& y) {
  OpCase c(name, capacity);
  const ValueId in = c.input("x", DType::kF32, {static_cast<int64_t>(x.size()) / rows});
  const ValueId out = silu(c.builder(), in, "y");
  c.step(rows);
  c.feed(in, to_bytes(x));
  c.expect(out, to_bytes(y));
  c.check();
}

TEST(SiluOp, FollowsTheRule) {
  for (const ElementwiseShape& shape : kElementwiseShapes) {
    const std::vector<float> x = random_floats(3, shape.rows * shape.n, shape.fill);
    std::vector<float> y;
    for (float v : x) y.push_back(silu_rule(v));
    check_silu(fmt::format("silu {}x{}", shape.rows, shape.n), shape.capacity, shape.rows, x, y);
  }
}

TEST(SiluOp, GivesTheValuesWorkedOutByHand) {
  std::vector<float> x;
  std::vector<float> y;
  for (const SiluValue& value : kSiluValues) {
    x.push_back(value.x);
    y.push_back(value.y);
  }
  check_silu("silu extremes", 1, 1, x, y);
}

TEST(SiluOp, IsCloseToTheRealFunction) {
  std::vector<float> x;
  std::vector<float> y;
  for (int i = -8700; i <= 8700; i += 7) {
    x.push_back(static_cast<float>(i) / 100.0F);
    y.push_back(silu_rule(x.back()));
    const double real = x.back() / (1.0 + std::exp(-static_cast<double>(x.back())));
    EXPECT_NEAR(y.back(), real, std::fabs(real) * 0x1p-21) << x.back();
  }
  check_silu("silu sweep", 1, 1, x, y);
}

}  // namespace
}  // namespace minfer::ops_test
