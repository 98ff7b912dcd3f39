// Activations in blocks of 32: q = rint(x · (127 / max|x|)).
#include "graph/ops/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/ops/elementwise.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void check_quantize(const std::string& name, int64_t capacity, int64_t rows, const std::vector<float>& x,
                    const std::vector<ActBlock>& expected) {
  OpCase c(name, capacity);
  const ValueId in = c.input("x", DType::kF32, {static_cast<int64_t>(x.size()) / rows});
  const ValueId out = quantize(c.builder(), in, "y");
  c.step(rows);
  c.feed(in, to_bytes(x));
  c.expect(out, to_bytes(expected));
  c.check();
}

TEST(QuantizeOp, FollowsTheRule) {
  constexpr ElementwiseShape kShapes[] = {{1, 1, 32, Fill::kPlain},     {3, 2, 64, Fill::kPlain},
                                          {5, 5, 96, Fill::kPlain},     {4, 3, 896, Fill::kPlain},
                                          {2, 2, 1024, Fill::kHostile}, {7, 1, 4864, Fill::kPlain}};
  for (const ElementwiseShape& shape : kShapes) {
    const std::vector<float> x = random_floats(4, shape.rows * shape.n, shape.fill);
    check_quantize(fmt::format("quantize {}x{}", shape.rows, shape.n), shape.capacity, shape.rows, x, act_blocks(x));
  }
}

TEST(QuantizeOp, RoundsTiesToEvenAndSumsEachHalf) {
  std::vector<float> x(32, 0.0F);
  x[0] = 127.0F;  // dx = 1: codes are the values, rounded
  x[1] = 0.5F;
  x[2] = 1.5F;
  x[3] = -0.5F;
  x[4] = -2.5F;
  x[16] = 126.5F;
  x[17] = -127.0F;
  ActBlock block{};
  block.dx = 1.0F;
  block.q[0] = 127;
  block.q[2] = 2;
  block.q[4] = -2;
  block.q[16] = 126;
  block.q[17] = -127;
  block.sum[0] = 127;
  block.sum[1] = -1;
  check_quantize("quantize ties", 1, 1, x, {block});
}

TEST(QuantizeOp, GivesZerosBelowTheThreshold) {
  for (const float tiny : {0.0F, -0.0F, 0x1p-149F, 9.9e-31F}) {
    check_quantize(fmt::format("quantize {}", tiny), 1, 1, std::vector<float>(32, tiny), {ActBlock{}});
  }
  std::vector<float> x(32, -1e-30F);  // the threshold itself is not below it
  ActBlock block{};
  block.dx = 1e-30F / 127.0F;
  std::fill(std::begin(block.q), std::end(block.q), static_cast<int8_t>(-127));
  block.sum[0] = block.sum[1] = -127 * 16;
  check_quantize("quantize 1e-30", 1, 1, x, {block});
}

TEST(QuantizeOp, MarksOnlyTheBlockThatIsNotFinite) {
  for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x(96, 127.0F);
    x[63] = bad;
    ActBlock good{};
    good.dx = 1.0F;
    std::fill(std::begin(good.q), std::end(good.q), static_cast<int8_t>(127));
    good.sum[0] = good.sum[1] = 127 * 16;
    ActBlock marked{};
    marked.dx = std::numeric_limits<float>::quiet_NaN();
    check_quantize(fmt::format("quantize {}", bad), 1, 1, x, {good, marked, good});
  }
}

TEST(QuantizeOp, StaysWithinHalfAStepOfTheValue) {
  const std::vector<float> x = random_floats(5, 320);
  const std::vector<ActBlock> blocks = act_blocks(x);
  for (size_t i = 0; i < x.size(); ++i) {
    const ActBlock& block = blocks[i / 32];
    EXPECT_NEAR(static_cast<double>(block.q[i % 32]) * block.dx, x[i], 0.5001 * block.dx);
  }
  check_quantize("quantize error", 1, 1, x, blocks);
}

}  // namespace
}  // namespace minfer::ops_test
