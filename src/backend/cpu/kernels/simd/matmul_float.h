// Matmul over panels of f32, f16 and bf16 weights: one chain of fused multiply-adds per output, in k order; lanes are
// outputs. A type says how its elements are widened: kBytes of one, load(p) for kLanes of them.
#pragma once

#include "backend/cpu/kernels/kernel_args.h"
#include "backend/cpu/kernels/simd/isa.h"
#include "backend/cpu/kernels/simd/panel.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

template <typename Type>
struct FloatPanels {
  template <int n_rows>
  [[gnu::always_inline]] static void tile(const MatmulArgs& args, int64_t panel, int lane, int64_t row,
                                          F (&acc)[n_rows]) {
    const PanelView view = open_panel(args, panel, args.n_in, 0);
    const uint8_t* w = view.codes + lane * Type::kBytes;
    const std::byte* x[n_rows];
    for (int t = 0; t < n_rows; ++t) {
      x[t] = args.x + (row + t) * args.x_row_bytes;
      acc[t] = Isa::zero();
    }
    for (int64_t k = 0; k < args.n_in; ++k) {
      Isa::prefetch(w + kPrefetchBytes);
      const F weight = Type::load(w);
      for (int t = 0; t < n_rows; ++t) {
        acc[t] = Isa::fma(weight, Isa::set(reinterpret_cast<const float*>(x[t])[k]), acc[t]);
      }
      w += kRowsOfPanel * Type::kBytes;
    }
  }
};

template <typename Type>
[[gnu::always_inline]] inline void matmul_float(const MatmulArgs& args) {
  matmul_panels<FloatPanels<Type>>(args);
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
