// e^x in every lane: the steps that base/exact_math.h states, so the bits of exact_expf.
#pragma once

#include "backend/cpu/kernels/simd/isa.h"
#include "base/exact_math.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

[[gnu::always_inline]] inline F exact_exp(F x) {
  using K = ExpfConstants;
  const F c = Isa::min_of(Isa::set(K::kHigh), Isa::max_of(Isa::set(K::kLow), x));
  const F t = Isa::fma(c, Isa::set(K::kLog2E), Isa::set(K::kMagic));
  const F n = Isa::sub(t, Isa::set(K::kMagic));
  F r = Isa::fma(n, Isa::set(-K::kLn2High), c);
  r = Isa::fma(n, Isa::set(-K::kLn2Low), r);
  F p = Isa::set(K::kC[0]);
  unroll<5>([&](auto i) __attribute__((always_inline)) {
    constexpr float kNext = K::kC[decltype(i)::value + 1];
    p = Isa::fma(p, r, Isa::set(kNext));
  });
  const F q = Isa::fma(p, Isa::mul(r, r), r);
  const F y = Isa::add(Isa::set(1.0F), q);
  F v = Isa::as_f(Isa::add_i(Isa::as_i(y), Isa::shift_left32(Isa::as_i(t), 23)));
  v = Isa::if_less(v, Isa::set(K::kSmallest), Isa::zero(), v);
  v = Isa::if_less(Isa::set(K::kHigh), x, Isa::set(__builtin_inff()), v);
  return Isa::if_nan(x, x, v);
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
