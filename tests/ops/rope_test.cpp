// y0 = fma(x0, c, -(x1·s)); y1 = fma(x0, s, x1·c), in both ways of pairing.
#include "graph/ops/rope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ops/elementwise.h"

namespace minfer::ops_test {
namespace {

struct RopeShape {
  int64_t capacity;
  int64_t rows;
  int heads;
  int head_dim;
  Fill fill = Fill::kPlain;
};

constexpr RopeShape kShapes[] = {
    {1, 1, 1, 2},
    {3, 2, 3, 8},
    {4, 4, 2, 24},
    {5, 3, 14, 64},
    {2, 1, 5, 128},
    {3, 3, 4, 96},
    {4, 3, 7, 6, Fill::kHostile},
    {1, 1, 1, 18, Fill::kHostile},
    {1, 1, 2, 30, Fill::kHostile},
    {2, 2, 1, 44, Fill::kHostile},
    {1, 1, 1, 256},
};

// Which element is x0 (or x1) of pair i.
size_t element(RopePairs pairs, size_t i, size_t half, bool second) {
  if (pairs == RopePairs::kAdjacent) return 2 * i + (second ? 1 : 0);
  return second ? i + half : i;
}

std::vector<float> rule(const RopeShape& shape, RopePairs pairs, const std::vector<float>& x,
                        const std::vector<float>& angles) {
  std::vector<float> y(x.size());
  const auto n = static_cast<size_t>(shape.head_dim);
  const size_t half = n / 2;
  for (size_t head = 0; head < x.size() / n; ++head) {
    const size_t row = head / static_cast<size_t>(shape.heads);
    for (size_t i = 0; i < half; ++i) {
      const size_t a = head * n + element(pairs, i, half, false);
      const size_t b = head * n + element(pairs, i, half, true);
      const float c = angles[row * n + i];
      const float s = angles[row * n + half + i];
      y[a] = std::fmaf(x[a], c, -(x[b] * s));
      y[b] = std::fmaf(x[a], s, x[b] * c);
    }
  }
  return y;
}

void check_rope(const RopeShape& shape, RopePairs pairs, const std::vector<float>& x, const std::vector<float>& angles,
                const std::vector<float>& y) {
  OpCase c(fmt::format("rope {}x{}x{}", shape.rows, shape.heads, shape.head_dim), shape.capacity);
  const ValueId in = c.input("x", DType::kF32, {int64_t{shape.heads} * shape.head_dim});
  const ValueId table = c.input("angles", DType::kF32, {shape.head_dim});
  const ValueId out = rope(c.builder(), in, table, shape.head_dim, pairs, "y");
  c.step(shape.rows);
  c.feed(in, to_bytes(x));
  c.feed(table, to_bytes(angles));
  c.expect(out, to_bytes(y));
  c.check();
}

TEST(RopeOp, FollowsTheRule) {
  for (const RopePairs pairs : {RopePairs::kHalves, RopePairs::kAdjacent}) {
    for (const RopeShape& shape : kShapes) {
      const std::vector<float> x = random_floats(11, shape.rows * shape.heads * shape.head_dim, shape.fill);
      const std::vector<float> angles = random_floats(12, shape.rows * shape.head_dim, shape.fill);
      check_rope(shape, pairs, x, angles, rule(shape, pairs, x, angles));
    }
  }
}

TEST(RopeOp, TurnsByAQuarterInBothPairings) {
  const RopeShape shape{1, 1, 1, 4};
  const std::vector<float> quarter{0.0F, 0.0F, 1.0F, 1.0F};  // cos, cos, sin, sin
  check_rope(shape, RopePairs::kHalves, {1.0F, 2.0F, 3.0F, 4.0F}, quarter, {-3.0F, -4.0F, 1.0F, 2.0F});
  check_rope(shape, RopePairs::kAdjacent, {1.0F, 2.0F, 3.0F, 4.0F}, quarter, {-2.0F, 1.0F, -4.0F, 3.0F});
}

}  // namespace
}  // namespace minfer::ops_test
