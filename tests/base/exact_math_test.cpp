#include "base/exact_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/hash.h"
#include "base/philox.h"

namespace minfer {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr double kDoubleInf = std::numeric_limits<double>::infinity();

// Distance of `got` from the true value in units of the last place of the true value's binade.
double ulps(double got, long double truth) {
  const double rounded = static_cast<double>(truth);
  const int exponent = std::max(std::ilogb(rounded), -1022);
  return static_cast<double>(fabsl(got - truth) / ldexpl(1.0L, exponent - 52));
}

double float_ulps(float got, double truth) {
  return std::fabs(got - truth) / std::ldexp(1.0, std::max(std::ilogb(truth), -126) - 23);
}

double random_double(uint32_t i, double low, double high) {
  const auto words = philox4x32({i, 0, 0, 0}, {7, 7});
  const double u = words[0] * 0x1p-32 + words[1] * 0x1p-64;
  return low + (high - low) * u;
}

TEST(ExactMath, ExpfStaysWithinOneUlpOverTheWholeRange) {
  double worst = 0;
  for (uint64_t i = 0; i < 0x100000000u; i += 997) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(i));
    if (std::isnan(x)) continue;
    const float got = exact_expf(x);
    const double truth = std::exp(static_cast<double>(x));
    if (truth < 0x1p-126 * (1 - 1e-6)) {
      ASSERT_EQ(std::bit_cast<uint32_t>(got), 0u) << x;
    } else if (x > 0x1.62e42ep+6f) {
      ASSERT_EQ(got, kInf) << x;
    } else if (truth > 0x1p-126 * (1 + 1e-6)) {
      worst = std::max(worst, float_ulps(got, truth));
    }
  }
  for (uint32_t i = 0; i < 1000000; ++i) {
    const auto x = static_cast<float>(random_double(i, -87.3, 88.7));
    worst = std::max(worst, float_ulps(exact_expf(x), std::exp(static_cast<double>(x))));
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
}

TEST(ExactMath, ExpfKeepsItsSpecialValues) {
  EXPECT_EQ(exact_expf(0.0f), 1.0f);
  EXPECT_EQ(exact_expf(-0.0f), 1.0f);
  EXPECT_EQ(std::bit_cast<uint32_t>(exact_expf(-kInf)), 0u);
  EXPECT_EQ(exact_expf(kInf), kInf);
  EXPECT_TRUE(std::isnan(exact_expf(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(exact_expf(-std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(exact_expf(1e-30f), 1.0f);
  // The ends of the range: the last finite result and its neighbours.
  EXPECT_TRUE(std::isfinite(exact_expf(0x1.62e42ep+6f)));
  EXPECT_EQ(exact_expf(std::nextafter(0x1.62e42ep+6f, 100.0f)), kInf);
  EXPECT_GE(exact_expf(-0x1.5d589ep+6f), 0x1p-126f);
  EXPECT_EQ(exact_expf(-87.34f), 0.0f);
}

TEST(ExactMath, ExpfNeverFallsOverARun) {
  float last = 0.0f;
  for (float x = -88.0f; x < 88.0f; x += 0.001f) {
    const float y = exact_expf(x);
    ASSERT_GE(y, last) << x;
    last = y;
  }
}

TEST(ExactMath, LogfIsNearlyCorrectlyRounded) {
  double worst = 0;
  for (uint32_t i = 1; i < 0x7F800000u; i += 997) {
    const auto x = std::bit_cast<float>(i);
    const double truth = std::log(static_cast<double>(x));
    if (truth != 0) worst = std::max(worst, float_ulps(exact_logf(x), truth));
  }
  EXPECT_LT(worst, 0.501);
  EXPECT_EQ(std::bit_cast<uint32_t>(exact_logf(1.0f)), 0u);
  EXPECT_EQ(exact_logf(0.0f), -kInf);
  EXPECT_EQ(exact_logf(-0.0f), -kInf);
  EXPECT_TRUE(std::isnan(exact_logf(-1.0f)));
  EXPECT_TRUE(std::isnan(exact_logf(-kInf)));
  EXPECT_EQ(exact_logf(kInf), kInf);
}

TEST(ExactMath, ExpStaysWithinOneUlp) {
  double worst = 0;
  for (uint32_t i = 0; i < 200000; ++i) {
    for (const double span : {1e-8, 1.0, 700.0}) {
      const double x = random_double(i, -span, span);
      worst = std::max(worst, ulps(exact_exp(x), expl(x)));
    }
  }
  for (double x = -745.5; x < -700; x += 0.01) worst = std::max(worst, ulps(exact_exp(x), expl(x)));
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
  EXPECT_EQ(exact_exp(0.0), 1.0);
  EXPECT_EQ(exact_exp(-0.0), 1.0);
  EXPECT_EQ(exact_exp(-kDoubleInf), 0.0);
  EXPECT_EQ(exact_exp(kDoubleInf), kDoubleInf);
  EXPECT_EQ(exact_exp(709.79), kDoubleInf);
  EXPECT_TRUE(std::isfinite(exact_exp(709.78)));
  EXPECT_TRUE(std::isnan(exact_exp(std::nan(""))));
}

TEST(ExactMath, LogStaysWithinOneUlp) {
  double worst = 0;
  for (uint32_t i = 0; i < 200000; ++i) {
    const auto words = philox4x32({i, 0, 0, 0}, {9, 9});
    const uint64_t bits = ((uint64_t{words[0]} << 32) | words[1]) % 0x7FF0000000000000u;
    const auto x = std::bit_cast<double>(bits);
    for (const double v : {x, random_double(i, 0.4, 2.5), random_double(i, 1 - 1e-6, 1 + 1e-6)}) {
      const long double truth = logl(v);
      if (truth != 0) worst = std::max(worst, ulps(exact_log(v), truth));
    }
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
  EXPECT_EQ(std::bit_cast<uint64_t>(exact_log(1.0)), 0u);
  EXPECT_EQ(exact_log(0.0), -kDoubleInf);
  EXPECT_TRUE(std::isnan(exact_log(-1e-300)));
  EXPECT_EQ(exact_log(kDoubleInf), kDoubleInf);
  EXPECT_NEAR(exact_log(std::numeric_limits<double>::denorm_min()), -744.4400719213812, 1e-12);
}

TEST(ExactMath, SineAndCosineStayWithinOneUlp) {
  double worst = 0;
  for (uint32_t i = 0; i < 200000; ++i) {
    for (const double span : {0.8, 10.0, 1e4, 1e7}) {
      const double x = random_double(i, -span, span);
      worst = std::max(worst, ulps(exact_sin(x), sinl(x)));
      worst = std::max(worst, ulps(exact_cos(x), cosl(x)));
    }
  }
  RecordProperty("worst_ulps", std::to_string(worst));
  EXPECT_LT(worst, 1.0);
}

TEST(ExactMath, ReducesAnglesNextToMultiplesOfHalfPi) {
  // The double nearest to k * pi/2 is where cancellation is worst. sinl reduces exactly.
  double worst = 0;
  for (uint32_t k = 1; k < 200000; ++k) {
    const double x = static_cast<double>(k * (3.14159265358979323846264338327950288L / 2));
    worst = std::max(worst, ulps(exact_sin(x), sinl(x)));
    worst = std::max(worst, ulps(exact_cos(x), cosl(x)));
  }
  for (uint32_t i = 0; i < 20000; ++i) {
    const double x = random_double(i, 1e7, 0x1p40);
    worst = std::max(worst, ulps(exact_sin(x), sinl(x)));
    worst = std::max(worst, ulps(exact_cos(x), cosl(x)));
  }
  EXPECT_LT(worst, 1.0);
  // 6381956970095103 * 2^797, the hardest double, lies outside the range; the edges of it are NaN.
  EXPECT_TRUE(std::isnan(exact_sin(0x1p41)));
  EXPECT_TRUE(std::isnan(exact_cos(kDoubleInf)));
  EXPECT_TRUE(std::isnan(exact_sin(std::nan(""))));
}

TEST(ExactMath, SineAndCosineKnowTheirSimplePoints) {
  EXPECT_EQ(exact_sin(0.0), 0.0);
  EXPECT_TRUE(std::signbit(exact_sin(-0.0)));
  EXPECT_EQ(exact_cos(0.0), 1.0);
  EXPECT_EQ(exact_sin(-1.0), -exact_sin(1.0));
  EXPECT_EQ(exact_cos(-1.0), exact_cos(1.0));
  EXPECT_EQ(exact_sin(1.0), 0.8414709848078965);
  EXPECT_EQ(exact_cos(1.0), 0.5403023058681398);
}

// Pins the bits: every compiler, optimization level and CPU must give these hashes.
TEST(ExactMath, GivesTheSameBitsEverywhere) {
  Fnv1a64 floats;
  for (uint64_t i = 0; i < 0x100000000u; i += 65521) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(i));
    const float results[] = {exact_expf(x), exact_logf(x)};
    floats.update_floats(results);
  }
  Fnv1a64 doubles;
  const auto update = [&](double v) {
    const auto bits = std::bit_cast<uint64_t>(v);
    doubles.update_u32(static_cast<uint32_t>(bits));
    doubles.update_u32(static_cast<uint32_t>(bits >> 32));
  };
  for (uint32_t i = 0; i < 20000; ++i) {
    update(exact_exp(random_double(i, -700, 700)));
    update(exact_log(random_double(i, 0, 1e6)));
    update(exact_sin(random_double(i, -1e6, 1e6)));
    update(exact_cos(random_double(i, -1e6, 1e6)));
  }
  EXPECT_EQ(floats.value(), 6127369289746390342u);
  EXPECT_EQ(doubles.value(), 4074689378082958224u);
}

}  // namespace
}  // namespace minfer
