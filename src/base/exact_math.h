// Our own exp, log, sin and cos. The C library picks a variant by CPU, so its results differ between machines; these
// use only + - * / and fused multiply-add, in one stated order, and give the same bits everywhere (docs/numerics.md).
// They expect round to nearest and no flush to zero (base/float_state.h) and a build with -ffp-contract=off.
#pragma once

namespace minfer {

// e^x in f32, error below 1 ulp. exp(+-0) = 1; results below 2^-126 are +0; above the range +inf; NaN stays NaN.
//
// A vector kernel reproduces it lane by lane with exactly these steps (every operation f32, to nearest; constants in
// ExpfConstants):
//   c = x < kLow ? kLow : x;  c = c > kHigh ? kHigh : c
//   t = fma(c, kLog2E, kMagic);  n = t - kMagic            n = round(x * log2 e); the low bits of t hold it as an
//   integer r = fma(n, -kLn2High, c);  r = fma(n, -kLn2Low, r) p = kC[0];  p = fma(p, r, kC[i]) for i = 1 … 5 (e^r - 1
//   - r) / r^2 q = fma(p, r * r, r);  y = 1 + q v = float with the bits  bits(y) + (bits(t) << 23)     y * 2^n,
//   unsigned 32-bit wrap-around v = v < 2^-126 ? +0 : v;  v = x > kHigh ? +inf : v;  v = x is NaN ? x : v
float exact_expf(float x);

struct ExpfConstants {
  static constexpr float kLow = -87.5f;           // below the smallest x with a result of 2^-126
  static constexpr float kHigh = 0x1.62e42ep+6f;  // the largest x whose result is finite
  static constexpr float kLog2E = 0x1.715476p+0f;
  static constexpr float kMagic = 0x1.8p+23f;
  static constexpr float kLn2High = 0x1.62e4p-1f;  // 15 bits, so that n * kLn2High is exact
  static constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  static constexpr float kSmallest = 0x1p-126f;
  static constexpr float kC[6] = {0x1.a12652p-13f, 0x1.6d44b2p-10f, 0x1.1110e0p-7f,
                                  0x1.5554e8p-5f,  0x1.555556p-3f,  0x1p-1f};
};

// ln x in f32: exact_log of the widened argument, rounded once (error below 0.51 ulp). log(1) = +0, log(+-0) = -inf,
// log(x < 0) = NaN, log(+inf) = +inf.
float exact_logf(float x);

// e^x in f64, error below 1 ulp, subnormal results included. Same special values as exact_expf, but no flush to zero.
double exact_exp(double x);

// ln x in f64, error below 1 ulp. Same special values as exact_logf; subnormal arguments are exact.
double exact_log(double x);

// Sine and cosine in f64, error below 1 ulp for |x| <= 2^40; beyond that, and for infinities, NaN. (The largest angle
// that a rope can ask for is the position, far below 2^40.)
double exact_sin(double x);
double exact_cos(double x);

}  // namespace minfer
