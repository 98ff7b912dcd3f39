// quantize(rms_norm(x)): the bits of the two one after the other.
#include "graph/ops/rms_norm_quantize.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/ops/quantize.h"
#include "tests/ops/conformance.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

struct NormShape {
  int64_t capacity;
  int64_t rows;
  int64_t n;
  Fill fill = Fill::kPlain;
};

constexpr NormShape kShapes[] = {{1, 1, 32},  {4, 3, 64},   {2, 2, 576},
                                 {7, 5, 896}, {1, 1, 1536}, {6, 6, 96, Fill::kHostile}};

// One case, with its input fed.
struct Case {
  OpCase c;
  WeightId gain;
  ValueId x;

  Case(const char* name, const NormShape& shape, const std::vector<float>& data, const std::vector<float>& gains)
      : c(fmt::format("{} {}x{}", name, shape.rows, shape.n), shape.capacity) {
    gain = c.weight("gain", DType::kF32, {shape.n}, to_bytes(gains));
    x = c.input("x", DType::kF32, {shape.n});
    c.step(shape.rows);
    c.feed(x, to_bytes(data));
  }
};

void check_norm(const NormShape& shape, const std::vector<float>& data, const std::vector<float>& gains,
                const Bytes& expected) {
  Case t("rms_norm_quantize", shape, data, gains);
  const ValueId y = rms_norm_quantize(t.c.builder(), t.x, t.gain, 1e-6F, "y");
  t.c.expect(y, expected);
  t.c.check();
}

TEST(RmsNormQuantizeOp, GivesTheBitsOfItsParts) {
  for (const NormShape& shape : kShapes) {
    const std::vector<float> x = random_floats(33, shape.rows * shape.n, shape.fill);
    const std::vector<float> gains = random_floats(34, shape.n);
    Case plain("rms_norm, quantize", shape, x, gains);
    const ValueId normalized = rms_norm(plain.c.builder(), plain.x, plain.gain, 1e-6F, "normalized");
    const ValueId rounded = quantize(plain.c.builder(), normalized, "rounded");
    const Bytes expected = plain.c.reference(rounded);
    EXPECT_EQ(expected, to_bytes(act_blocks(from_bytes<float>(plain.c.reference(normalized)))));
    check_norm(shape, x, gains, expected);
  }
}

TEST(RmsNormQuantizeOp, KeepsZeroRowsZero) {
  check_norm({1, 1, 64}, std::vector<float>(64, 0.0F), random_floats(35, 64), to_bytes<ActBlock>({{}, {}}));
}

}  // namespace
}  // namespace minfer::ops_test
