#include "base/float_state.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace minfer {
namespace {

float multiply(float a, float b) {
  volatile float x = a;
  volatile float y = b;
  return x * y;
}

TEST(FloatState, RoundsToNearestAndRestoresTheCallersMode) {
  std::fesetround(FE_UPWARD);
  {
    const FloatState state;
    EXPECT_EQ(multiply(1.0f + 0x1p-23f, 1.0f + 0x1p-23f), 1.0f + 0x1p-22f);
  }
  EXPECT_EQ(multiply(1.0f + 0x1p-23f, 1.0f + 0x1p-23f), 1.0f + 0x1.8p-22f);
  std::fesetround(FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(FloatState, KeepsSubnormalsThatTheCallerFlushes) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  EXPECT_EQ(multiply(0x1p-126f, 0.5f), 0.0f);
  {
    const FloatState state;
    EXPECT_EQ(multiply(0x1p-126f, 0.5f), 0x1p-127f);
    EXPECT_EQ(multiply(0x1p-127f, 2.0f), 0x1p-126f);
  }
  EXPECT_EQ(multiply(0x1p-126f, 0.5f), 0.0f);
  _mm_setcsr(before);
}
#endif

}  // namespace
}  // namespace minfer
