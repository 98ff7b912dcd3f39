// The scalar matmul of block-quantized weights: a type says how to unpack its block (Traits), the loop and the order of
// the sums stand here once.
#pragma once

#include <cmath>
#include <cstring>

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu::scalar {

// 32 consecutive weights of a row, ready for the exact integer product. Types with a scale per 16 have it multiplied
// into w (|w| <= 4096, and a dot product stays below 2^24).
struct Weights32 {
  int16_t w[kActBlockElements];
  float scale;         // d, or d·sc
  float minimum;       // what is added per unit of x: m, -(dmin·mn); unused by types without one
  int32_t min_int[2];  // Q2_K alone: mn per 16, with minimum = dmin
};

// How a block of 32 is added to the accumulator (docs/numerics.md, "Matmul").
enum class Fold { kScale, kScaleAndMinimum, kScaleAndMinimumPer16 };

inline int32_t integer_dot(const Weights32& weights, const ActBlock& x) {
  int32_t dot = 0;
  for (int i = 0; i < kActBlockElements; ++i) dot += int32_t{weights.w[i]} * int32_t{x.q[i]};
  return dot;
}

template <Fold fold>
float add_block(const Weights32& weights, const ActBlock& x, float acc) {
  const auto dot = static_cast<float>(integer_dot(weights, x));
  acc = std::fmaf(dot, weights.scale * x.dx, acc);
  if constexpr (fold == Fold::kScaleAndMinimum) {
    const float s = static_cast<float>(x.sum[0] + x.sum[1]) * x.dx;
    acc = std::fmaf(weights.minimum, s, acc);
  } else if constexpr (fold == Fold::kScaleAndMinimumPer16) {
    const int32_t minimums = weights.min_int[0] * x.sum[0] + weights.min_int[1] * x.sum[1];
    acc = std::fmaf(-(weights.minimum * x.dx), static_cast<float>(minimums), acc);
  }
  return acc;
}

// Traits: Block (the stored struct), kElements, kFold, and unpack(const Block&, Weights32*) for kElements / 32 of them.
template <typename Traits>
void matmul_blocks(const MatmulArgs& args) {
  constexpr int kParts = Traits::kElements / kActBlockElements;
  const int64_t n_blocks = args.n_in / Traits::kElements;
  for (int64_t o = 0; o < args.n_out; ++o) {
    const std::byte* row = args.weight + o * args.weight_stride_bytes;
    for (int64_t r = 0; r < args.n_rows; ++r) args.y[r * args.y_stride + o] = 0.0F;
    for (int64_t b = 0; b < n_blocks; ++b) {
      typename Traits::Block block;
      std::memcpy(&block, row + b * static_cast<int64_t>(sizeof(block)), sizeof(block));
      Weights32 weights[kParts];
      Traits::unpack(block, weights);
      for (int64_t r = 0; r < args.n_rows; ++r) {
        const auto* x = reinterpret_cast<const ActBlock*>(args.x + r * args.x_row_bytes) + b * kParts;
        float acc = args.y[r * args.y_stride + o];
        for (int i = 0; i < kParts; ++i) acc = add_block<Traits::kFold>(weights[i], x[i], acc);
        args.y[r * args.y_stride + o] = acc;
      }
    }
    if (args.bias == nullptr) continue;
    for (int64_t r = 0; r < args.n_rows; ++r) args.y[r * args.y_stride + o] += args.bias[o];
  }
}

}  // namespace minfer::cpu::scalar
