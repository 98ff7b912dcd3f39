// The sixteen lanes of the reductions of docs/numerics.md: as many vectors as hold them.
#pragma once

#include "backend/cpu/kernels/simd/isa.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

constexpr int kVectors16 = 16 / Isa::kLanes;

struct Lanes16 {
  F part[kVectors16];

  [[gnu::always_inline]] explicit Lanes16(F start) {
    for (F& v : part) v = start;
  }

  // Lane j takes lane j + w for w = 8, 4, 2, 1.
  [[gnu::always_inline]] float sum() const {
    if constexpr (kVectors16 == 1) return Isa::fold_sum(part[0]);
    return Isa::fold_sum(Isa::add(part[0], part[kVectors16 - 1]));
  }
  [[gnu::always_inline]] float max() const {
    if constexpr (kVectors16 == 1) return Isa::fold_max(part[0]);
    return Isa::fold_max(Isa::max_of(part[0], part[kVectors16 - 1]));
  }
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
