// Elements of the key/value cache, f16 or f32, as vectors of f32.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels/simd/isa.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

struct KvF16 {
  using T = uint16_t;

  [[gnu::always_inline]] static F load(const T* p) { return Isa::load_f16(p); }
  [[gnu::always_inline]] static F load_first(const T* p, int n) { return Isa::load_first_f16(p, n); }
  [[gnu::always_inline]] static void store(T* p, F v) { Isa::store_f16(p, v); }
};

struct KvF32 {
  using T = float;

  [[gnu::always_inline]] static F load(const T* p) { return Isa::load(p); }
  [[gnu::always_inline]] static F load_first(const T* p, int n) { return Isa::load_first(p, n); }
  [[gnu::always_inline]] static void store(T* p, F v) { Isa::store(p, v); }
};

template <typename Element>
[[gnu::always_inline]] inline F load_element(const typename Element::T* p, AllLanes) {
  return Element::load(p);
}

template <typename Element>
[[gnu::always_inline]] inline F load_element(const typename Element::T* p, FirstLanes lanes) {
  return Element::load_first(p, lanes.n);
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
