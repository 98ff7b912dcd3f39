// The conformance runner itself: it must see what it is there to see.
#include "tests/ops/conformance.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <limits>

#include "graph/ops/add.h"
#include "graph/ops/matmul.h"
#include "tests/ops/compare.h"

namespace minfer::ops_test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Difference, NamesTheWorstElementWithBothValues) {
  const Bytes got = to_bytes<float>({1.0F, 2.5F, 3.0F, kNan});
  EXPECT_FALSE(difference(DType::kF32, got, got));
  EXPECT_EQ(difference(DType::kF32, got, to_bytes<float>({1.0F, 4.5F, 3.5F, -kNan})),
            "2 of 4 differ; worst at 1: got 2.5, expected 4.5");
  EXPECT_EQ(difference(DType::kF32, got, to_bytes<float>({9.0F, 2.5F, 3.0F, 7.0F})),
            "2 of 4 differ; worst at 3: got nan, expected 7");
}

TEST(Difference, SeesTheSignOfZero) {
  EXPECT_TRUE(difference(DType::kF32, to_bytes<float>({0.0F}), to_bytes<float>({-0.0F})));
}

TEST(Conformance, FailsAWrongResult) {
  EXPECT_NONFATAL_FAILURE(
      {
        OpCase c("wrong sum", 1);
        const ValueId x = c.input("x", DType::kF32, {1});
        const ValueId y = add(c.builder(), x, x, "y");
        c.step(1);
        c.feed(x, to_bytes<float>({1.0F}));
        c.expect(y, to_bytes<float>({3.0F}));
        c.check();
      },
      "worst at 0: got 2, expected 3");
}

TEST(Conformance, FailsACaseThatNoDeviceTakes) {
  EXPECT_NONFATAL_FAILURE(
      {
        OpCase c("no kernel", 1);
        const WeightId w = c.weight("w", DType::kIQ2_XS, {1, 256}, Bytes(74));
        const ValueId x = c.input("x", DType::kQ8A, {256});
        const ValueId y = matmul(c.builder(), x, w, kNone, "y");
        c.step(1);
        c.feed(x, Bytes(8 * 40));
        c.expect(y, to_bytes<float>({0.0F}));
        c.check();
      },
      "ran nowhere but on its reference: no kernel for IQ2_XS weights");
}

TEST(Conformance, RunsTheCpuWithOneTwoAndThreeThreads) {
  std::vector<std::string> names;
  for (const Subject& subject : open_subjects()) names.push_back(subject.name);
  for (const char* expected : {"cpu", "cpu scalar, 1 threads", "cpu scalar, 2 threads", "cpu scalar, 3 threads"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  }
}

}  // namespace
}  // namespace minfer::ops_test
