#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/lanes16.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

// The lanes that a short last vector lacks add fma(0, 0, lane): the lane as it was.
[[gnu::always_inline]] inline float sum_of_squares(const float* x, int64_t n) {
  Lanes16 sum(Isa::zero());
  for (int64_t i = 0; i < n; i += 16) {
    unroll<kVectors16>([&](auto part) __attribute__((always_inline)) {
      constexpr int kPart = decltype(part)::value;
      const int64_t at = i + kPart * Isa::kLanes;
      const int64_t left = n - at;
      if (left <= 0) return;
      const F v = left < Isa::kLanes ? Isa::load_first(x + at, static_cast<int>(left)) : Isa::load(x + at);
      sum.part[kPart] = Isa::fma(v, v, sum.part[kPart]);
    });
  }
  return sum.sum();
}

}  // namespace

// r = 1 / sqrt(Σx² / n + eps); y = (x·r)·gain
void rms_norm(const float* x, const float* gain, float eps, float* y, int64_t n) {
  const F mean = Isa::div(Isa::set(sum_of_squares(x, n)), Isa::set(static_cast<float>(n)));
  const F r = Isa::div(Isa::set(1.0F), Isa::sqrt(Isa::add(mean, Isa::set(eps))));
  for_each_vector(
      n, [=](int64_t i, auto lanes) __attribute__((always_inline)) {
        lanes.store(y + i, Isa::mul(Isa::mul(lanes.load(x + i), r), lanes.load(gain + i)));
      });
}

}  // namespace minfer::cpu::MINFER_ISA
