#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct Pair {
  F first;
  F second;
};

// y0 = fma(x0, c, -(x1·s)); y1 = fma(x0, s, x1·c)
[[gnu::always_inline]] inline Pair turn(F x0, F x1, F c, F s) {
  return {Isa::fma(x0, c, Isa::negate(Isa::mul(x1, s))), Isa::fma(x0, s, Isa::mul(x1, c))};
}

[[gnu::always_inline]] inline void rope_halves(const float* x, const float* angles, float* y, int half) {
  for_each_vector(
      half, [=](int64_t i, auto lanes) __attribute__((always_inline)) {
        const Pair turned =
            turn(lanes.load(x + i), lanes.load(x + half + i), lanes.load(angles + i), lanes.load(angles + half + i));
        lanes.store(y + i, turned.first);
        lanes.store(y + half + i, turned.second);
      });
}

// One vector of pairs lies in two vectors of elements.
[[gnu::always_inline]] inline void rope_adjacent(const float* x, const float* angles, float* y, int half) {
  int i = 0;
  for (; i + Isa::kLanes <= half; i += Isa::kLanes) {
    const F low = Isa::load(x + 2 * i);
    const F high = Isa::load(x + 2 * i + Isa::kLanes);
    const Pair turned = turn(Isa::even_lanes(low, high), Isa::odd_lanes(low, high), Isa::load(angles + i),
                             Isa::load(angles + half + i));
    Isa::store(y + 2 * i, Isa::interleave_low(turned.first, turned.second));
    Isa::store(y + 2 * i + Isa::kLanes, Isa::interleave_high(turned.first, turned.second));
  }
  const int left = half - i;
  if (left == 0) return;
  const int n_low = 2 * left < Isa::kLanes ? 2 * left : Isa::kLanes;
  const int n_high = 2 * left - n_low;
  const F low = Isa::load_first(x + 2 * i, n_low);
  const F high = Isa::load_first(x + 2 * i + n_low, n_high);
  const Pair turned = turn(Isa::even_lanes(low, high), Isa::odd_lanes(low, high), Isa::load_first(angles + i, left),
                           Isa::load_first(angles + half + i, left));
  Isa::store_first(y + 2 * i, Isa::interleave_low(turned.first, turned.second), n_low);
  Isa::store_first(y + 2 * i + n_low, Isa::interleave_high(turned.first, turned.second), n_high);
}

}  // namespace

void rope(const float* x, const float* angles, RopePairs pairs, float* y, int head_dim) {
  if (pairs == RopePairs::kHalves) {
    rope_halves(x, angles, y, head_dim / 2);
  } else {
    rope_adjacent(x, angles, y, head_dim / 2);
  }
}

}  // namespace minfer::cpu::MINFER_ISA
