// y = a + b, one IEEE addition per element.
#include "graph/ops/add.h"

#include <gtest/gtest.h>

#include "tests/ops/elementwise.h"

namespace minfer::ops_test {
namespace {

TEST(AddOp, AddsElementByElement) {
  check_binary(add, [](float a, float b) { return a + b; });
}

TEST(AddOp, AddsAValueToItself) {
  OpCase c("add x x", 2);
  const ValueId x = c.input("x", DType::kF32, {3});
  const ValueId y = add(c.builder(), x, x, "y");
  c.step(2);
  c.feed(x, to_bytes<float>({1.0F, -2.0F, 0.5F, 3e38F, -0.0F, 0x1p-149F}));
  c.expect(y, to_bytes<float>({2.0F, -4.0F, 1.0F, std::numeric_limits<float>::infinity(), -0.0F, 0x1p-148F}));
  c.check();
}

}  // namespace
}  // namespace minfer::ops_test
