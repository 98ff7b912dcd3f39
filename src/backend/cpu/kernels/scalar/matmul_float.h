// The scalar matmul of f32, f16 and bf16 weights: one chain of fused multiply-adds per output, in k order.
#pragma once

#include <cmath>
#include <cstring>

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu::scalar {

// widen(T) gives the weight as f32, exactly.
template <typename T, typename Widen>
void matmul_float(const MatmulArgs& args, Widen widen) {
  for (int64_t o = 0; o < args.n_out; ++o) {
    const std::byte* row = args.weight + o * args.weight_stride_bytes;
    for (int64_t r = 0; r < args.n_rows; ++r) {
      const auto* x = reinterpret_cast<const float*>(args.x + r * args.x_row_bytes);
      float acc = 0.0F;
      for (int64_t k = 0; k < args.n_in; ++k) {
        T w;
        std::memcpy(&w, row + k * static_cast<int64_t>(sizeof(T)), sizeof(T));
        acc = std::fmaf(widen(w), x[k], acc);
      }
      if (args.bias != nullptr) acc += args.bias[o];
      args.y[r * args.y_stride + o] = acc;
    }
  }
}

}  // namespace minfer::cpu::scalar
