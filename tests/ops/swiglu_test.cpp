// y = silu(a) · b, with the product rounded by itself: the same bits as a silu node and a mul node.
#include "graph/ops/swiglu.h"

#include <gtest/gtest.h>

#include "tests/ops/elementwise.h"
#include "tests/ops/gate_rule.h"

namespace minfer::ops_test {
namespace {

TEST(SwigluOp, FollowsTheRule) {
  check_binary(swiglu, [](float a, float b) { return silu_rule(a) * b; });
}

TEST(SwigluOp, GivesTheValuesWorkedOutByHand) {
  OpCase c("swiglu extremes", 2);
  const auto n = static_cast<int64_t>(std::size(kSiluValues));
  const ValueId a = c.input("a", DType::kF32, {n});
  const ValueId b = c.input("b", DType::kF32, {n});
  const ValueId y = swiglu(c.builder(), a, b, "y");
  std::vector<float> gate;
  std::vector<float> expected;
  for (const float factor : {-2.0F, kInf}) {
    for (const SiluValue& value : kSiluValues) {
      gate.push_back(value.x);
      expected.push_back(value.y * factor);
    }
  }
  std::vector<float> up(gate.size(), -2.0F);
  std::fill(up.begin() + n, up.end(), kInf);
  c.step(2);
  c.feed(a, to_bytes(gate));
  c.feed(b, to_bytes(up));
  c.expect(y, to_bytes(expected));
  c.check();
}

}  // namespace
}  // namespace minfer::ops_test
