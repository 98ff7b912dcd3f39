// SiLU in every lane, for silu and swiglu.
#pragma once

#include "backend/cpu/kernels/simd/exact_exp.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

[[gnu::always_inline]] inline F silu_of(F x) {
  return Isa::div(x, Isa::add(Isa::set(1.0F), exact_exp(Isa::negate(x))));
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
