// How a kernel walks a row of floats: whole vectors, then the lanes that are left.
#pragma once

#include <cstdint>

#include "backend/cpu/kernels/simd/isa.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct AllLanes {
  [[gnu::always_inline]] F load(const float* p) const { return Isa::load(p); }
  [[gnu::always_inline]] void store(float* p, F v) const { Isa::store(p, v); }
  [[gnu::always_inline]] F keep(F v, F /*rest*/) const { return v; }
};

struct FirstLanes {
  int n;

  [[gnu::always_inline]] F load(const float* p) const { return Isa::load_first(p, n); }
  [[gnu::always_inline]] void store(float* p, F v) const { Isa::store_first(p, v, n); }
  [[gnu::always_inline]] F keep(F v, F rest) const { return Isa::keep_first(v, n, rest); }
};

// step(i, lanes) for the vectors that start at elements i = 0, kLanes, … of n; `lanes` loads and stores them, and keeps
// theirs of a vector.
template <typename Step>
[[gnu::always_inline]] inline void for_each_vector(int64_t n, Step step) {
  int64_t i = 0;
  for (; i + Isa::kLanes <= n; i += Isa::kLanes) step(i, AllLanes());
  if (i < n) step(i, FirstLanes{static_cast<int>(n - i)});
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
