// Implementation notes: every fused operation is written as std::fma, every rounding to an integer as std::rint; both
// are exact in IEEE terms, so it does not matter which variant of them the C library runs.
#include "base/exact_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace minfer {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// p(x) = c[0] x^(n-1) + … + c[n-1].
template <typename T, int n>
T horner(const T (&c)[n], T x) {
  T p = c[0];
  for (int i = 1; i < n; ++i) p = std::fma(p, x, c[i]);
  return p;
}

}  // namespace

float exact_expf(float x) {
  using K = ExpfConstants;
  float c = x < K::kLow ? K::kLow : x;
  c = c > K::kHigh ? K::kHigh : c;
  const float t = std::fma(c, K::kLog2E, K::kMagic);
  const float n = t - K::kMagic;
  float r = std::fma(n, -K::kLn2High, c);
  r = std::fma(n, -K::kLn2Low, r);
  const float p = horner(K::kC, r);
  const float q = std::fma(p, r * r, r);
  const float y = 1.0f + q;
  float v = std::bit_cast<float>(std::bit_cast<uint32_t>(y) + (std::bit_cast<uint32_t>(t) << 23));
  v = v < K::kSmallest ? 0.0f : v;
  v = x > K::kHigh ? std::numeric_limits<float>::infinity() : v;
  return x != x ? x : v;
}

float exact_logf(float x) {
  return static_cast<float>(exact_log(static_cast<double>(x)));
}

double exact_exp(double x) {
  if (x != x) return x;
  if (x > 0x1.62e42fefa39efp+9) return kInfinity;
  if (x < -746.0) return 0.0;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 32 bits, so that n * kLn2High is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const double n = std::rint(x * 0x1.71547652b82fep+0);
  const double high = std::fma(n, -kLn2High, x);
  const double r = std::fma(n, -kLn2Low, high);
  // (e^r - 1 - r) / r^2 as a Taylor series; |r| <= 0.347, the first term left out is below 2^-60.
  static constexpr double kC[] = {1.0 / 1307674368000.0,
                                  1.0 / 87178291200.0,
                                  1.0 / 6227020800.0,
                                  1.0 / 479001600.0,
                                  1.0 / 39916800.0,
                                  1.0 / 3628800.0,
                                  1.0 / 362880.0,
                                  1.0 / 40320.0,
                                  1.0 / 5040.0,
                                  1.0 / 720.0,
                                  1.0 / 120.0,
                                  1.0 / 24.0,
                                  1.0 / 6.0,
                                  0.5};
  const double y = 1.0 + std::fma(horner(kC, r), r * r, r);
  return std::ldexp(y, static_cast<int>(n));
}

double exact_log(double x) {
  if (x != x) return x;
  if (x < 0.0) return kNan;
  if (x == 0.0) return -kInfinity;
  if (x == kInfinity) return x;
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  // x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)).
  constexpr uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDu;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const uint64_t shifted = bits - kSqrtHalf;
  const auto steps = static_cast<int>(static_cast<int64_t>(shifted) >> 52);
  exponent += steps;
  const double m = std::bit_cast<double>(bits - (static_cast<uint64_t>(static_cast<int64_t>(steps)) << 52));
  // With s = f / (2 + f): ln(1 + f) = 2 atanh(s) = f - (h - s (h + R)), h = f^2 / 2, R = sum of 2 s^2k / (2k + 1).
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  static constexpr double kC[] = {2.0 / 25.0, 2.0 / 23.0, 2.0 / 21.0, 2.0 / 19.0, 2.0 / 17.0, 2.0 / 15.0,
                                  2.0 / 13.0, 2.0 / 11.0, 2.0 / 9.0,  2.0 / 7.0,  2.0 / 5.0,  2.0 / 3.0};
  const double series = z * horner(kC, z);
  const double h = 0.5 * f * f;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const double n = exponent;
  return n * kLn2High - ((h - (s * (h + series) + n * kLn2Low)) - f);
}

namespace {

// An angle as quadrant * pi/2 + (high + low), |high| <= pi/4.
struct ReducedAngle {
  int quadrant;
  double high;
  double low;
};

constexpr double kLargestAngle = 0x1p40;

ReducedAngle reduce(double x) {
  // pi/2 in three parts of 53 bits. fma(-n, kPart1, x) is exact: both n * kPart1 and x are multiples of 2^-53 (of 2^-52
  // from 1 on) and their difference is below 1.
  constexpr double kPart1 = 0x1.921fb54442d18p+0;
  constexpr double kPart2 = 0x1.1a62633145c07p-54;
  constexpr double kPart3 = -0x1.f1976b7ed8fbcp-110;
  const double n = std::rint(x * 0x1.45f306dc9c883p-1);
  const double first = std::fma(-n, kPart1, x);
  const double product = n * kPart2;
  const double product_rest = std::fma(n, kPart2, -product);
  // first - product without an error (Knuth's two-sum).
  const double sum = first - product;
  const double part = sum - first;
  const double sum_rest = (first - (sum - part)) + (-product - part);
  const double rest = (sum_rest - product_rest) - n * kPart3;
  const double high = sum + rest;
  const double low = (sum - high) + rest;
  return {static_cast<int>(static_cast<int64_t>(n) & 3), high, low};
}

double sine_of(double r, double low) {
  static constexpr double kC[] = {
      1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
      1.0 / 362880.0,          -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
  const double z = r * r;
  return r + std::fma(horner(kC, z), z * r, low * (1.0 - 0.5 * z));
}

double cosine_of(double r, double low) {
  static constexpr double kC[] = {
      -1.0 / 6402373705728000.0, 1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0,
      -1.0 / 3628800.0,          1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0};
  const double z = r * r;
  const double h = 0.5 * z;
  const double w = 1.0 - h;
  return w + (((1.0 - w) - h) + std::fma(horner(kC, z), z * z, -(r * low)));
}

}  // namespace

double exact_sin(double x) {
  if (!(std::fabs(x) <= kLargestAngle)) return kNan;
  if (x == 0.0) return x;
  const ReducedAngle angle = reduce(x);
  const double value = (angle.quadrant & 1) != 0 ? cosine_of(angle.high, angle.low) : sine_of(angle.high, angle.low);
  return (angle.quadrant & 2) != 0 ? -value : value;
}

double exact_cos(double x) {
  if (!(std::fabs(x) <= kLargestAngle)) return kNan;
  const ReducedAngle angle = reduce(x);
  const double value = (angle.quadrant & 1) != 0 ? sine_of(angle.high, angle.low) : cosine_of(angle.high, angle.low);
  return angle.quadrant == 1 || angle.quadrant == 2 ? -value : value;
}

}  // namespace minfer
