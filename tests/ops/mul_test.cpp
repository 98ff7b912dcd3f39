// y = a · b, one IEEE multiplication per element.
#include "graph/ops/mul.h"

#include <gtest/gtest.h>

#include "tests/ops/elementwise.h"

namespace minfer::ops_test {
namespace {

TEST(MulOp, MultipliesElementByElement) {
  check_binary(mul, [](float a, float b) { return a * b; });
}

}  // namespace
}  // namespace minfer::ops_test
