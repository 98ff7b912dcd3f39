// What the parts of a block have in common, as several types keep it in the header area of a panel.
#pragma once

#include "backend/cpu/kernels/simd/codes.h"
#include "backend/cpu/kernels/simd/isa.h"
#include "backend/cpu/kernels/simd/matmul_quantized.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

// f16 d
struct ScaleHeader {
  F d;

  [[gnu::always_inline]] ScaleHeader(const uint8_t* header, int lane) : d(Isa::load_f16(header + 2 * lane)) {}
  [[gnu::always_inline]] Part part(int) const { return {d}; }
};

// f16 d, f16 m
struct ScaleMinimumHeader {
  F d;
  F m;

  [[gnu::always_inline]] ScaleMinimumHeader(const uint8_t* header, int lane)
      : d(Isa::load_f16(header + 2 * lane)), m(Isa::load_f16(header + 32 + 2 * lane)) {}
  [[gnu::always_inline]] Part part(int) const { return {d, m}; }
};

// f16 d, f16 dmin, and the packed scales of Q4_K and Q5_K
struct KScalesHeader {
  F d;
  F minus_dmin;
  KScales16 scales;
  int lane;

  [[gnu::always_inline]] KScalesHeader(const uint8_t* header, int first_lane)
      : d(Isa::load_f16(header + 2 * first_lane)),
        minus_dmin(Isa::negate(Isa::load_f16(header + 32 + 2 * first_lane))),
        scales(header + 64),
        lane(first_lane) {}

  [[gnu::always_inline]] Part part(int p) const {
    const F scale = Isa::to_f(Isa::load_u8(scales.scale[p] + lane));
    const F minimum = Isa::to_f(Isa::load_u8(scales.minimum[p] + lane));
    return {Isa::mul(d, scale), Isa::mul(minus_dmin, minimum)};
  }
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
