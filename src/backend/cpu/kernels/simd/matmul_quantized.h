// Matmul over panels of block-quantized weights, for any instruction set: lanes are outputs, and a register tile holds
// a panel's outputs for some activation rows. A type says how its codes are unpacked (Type); the loops and the order of
// the sums stand here once. The rule is docs/numerics.md, "Matmul".
//
// Type:
//   kElements      of a block; kHeaderBytes, kCodeBytes: of sixteen blocks in the areas of a panel (interleave.h)
//   kBits          codes are below 2^kBits; 8: as Isa::unsigned_code gives them
//   kOffset        what a code is above the weight
//   kFold          which sums a block of 32 adds
//   kUnroll        parts of 32 whose codes share bytes: unpacked by compile-time position
//   Header         what a block's parts have in common; Header(const uint8_t* header, int lane)
//   Part           F scale, minimum; I sc[2] (kPer16), I mn (kMinimumPer16: pairs); header.part(p)
//   code<U, G>     lanes' four codes of group G (elements 4·G …) of part kUnroll·c + U
#pragma once

#include "backend/cpu/kernels/kernel_args.h"
#include "backend/cpu/kernels/simd/isa.h"
#include "backend/cpu/kernels/simd/panel.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

enum class Fold {
  kScale,             // fma(dot, d·dx, acc)
  kScaleAndMinimum,   // … then fma(m, Σx·dx, acc)
  kPer16,             // dot = sc0·D0 + sc1·D1
  kPer16AndMinimums,  // … then fma(-(dmin·dx), mn0·S0 + mn1·S1, acc)
};

// What a part of 32 is folded with; members that the type's fold does not use stay zero and cost nothing.
struct Part {
  F scale;
  F minimum = Isa::zero();
  I sc[2] = {Isa::zero_i(), Isa::zero_i()};
  I mn = Isa::zero_i();
};

constexpr int kPartElements = 32;
constexpr int kGroups = kPartElements / 4;

// Two i16 in every lane.
[[gnu::always_inline]] inline I set_pair(int low, int high) {
  return Isa::set_i32(static_cast<int32_t>(static_cast<uint32_t>(high) << 16 | (static_cast<uint32_t>(low) & 0xFFFF)));
}

// The rows of a tile: row t of the block at `offset` bytes. Three rows share a pointer, which saves registers.
template <int n_rows>
struct RowPointers {
  const std::byte* base[(n_rows + 2) / 3];
  int64_t stride;

  [[gnu::always_inline]] RowPointers(const std::byte* x, int64_t row_bytes) : stride(row_bytes) {
    for (int i = 0; i < (n_rows + 2) / 3; ++i) base[i] = x + 3 * i * row_bytes;
  }
  [[gnu::always_inline]] const ActBlock& block(int row, int64_t offset) const {
    return *reinterpret_cast<const ActBlock*>(base[row / 3] + (row % 3) * stride + offset);
  }
};

// Adds groups kFirst … kFirst + n - 1 of a part to the rows' dot products.
template <typename Type, int n_rows, int kUnrolled, int kFirst, int n>
[[gnu::always_inline]] inline void add_groups(const uint8_t* codes, int chunk, const RowPointers<n_rows>& rows,
                                              int64_t offset, Isa::Dot (&dot)[n_rows]) {
  unroll<n>([&](auto step) __attribute__((always_inline)) {
    constexpr int kStep = decltype(step)::value;
    const I code = Type::template code<kUnrolled, kFirst + kStep>(codes, chunk);
    for (int t = 0; t < n_rows; ++t) {
      const I x = Isa::broadcast4(rows.block(t, offset).q + 4 * (kFirst + kStep));
      Isa::template accumulate<Type::kBits, kStep, n>(dot[t], code, x);
    }
  });
}

// -offset · Σ of the weights' activations; low, high: whether elements 0 … 15, 16 … 31 take part.
template <typename Type>
[[gnu::always_inline]] inline Isa::Dot start_dot(const ActBlock& x, bool low, bool high) {
  if constexpr (Type::kOffset == 0) return Isa::start(Isa::zero_i());
  const I weights = set_pair(low ? -Type::kOffset : 0, high ? -Type::kOffset : 0);
  return Isa::start(Isa::pair_products(Isa::broadcast4(x.sum), weights));
}

template <typename Type, int n_rows, int kUnrolled>
[[gnu::always_inline]] inline void part_dots(const uint8_t* codes, int chunk, const Part& part,
                                             const RowPointers<n_rows>& rows, int64_t offset, I (&sum)[n_rows]) {
  Isa::Dot dot[n_rows];
  if constexpr (Type::kFold == Fold::kScale || Type::kFold == Fold::kScaleAndMinimum) {
    for (int t = 0; t < n_rows; ++t) dot[t] = start_dot<Type>(rows.block(t, offset), true, true);
    add_groups<Type, n_rows, kUnrolled, 0, kGroups>(codes, chunk, rows, offset, dot);
    for (int t = 0; t < n_rows; ++t) sum[t] = Isa::finish(dot[t]);
  } else {
    for (int t = 0; t < n_rows; ++t) dot[t] = start_dot<Type>(rows.block(t, offset), true, false);
    add_groups<Type, n_rows, kUnrolled, 0, kGroups / 2>(codes, chunk, rows, offset, dot);
    for (int t = 0; t < n_rows; ++t) {
      sum[t] = Isa::mul_i(Isa::finish(dot[t]), part.sc[0]);
      dot[t] = start_dot<Type>(rows.block(t, offset), false, true);
    }
    add_groups<Type, n_rows, kUnrolled, kGroups / 2, kGroups / 2>(codes, chunk, rows, offset, dot);
    for (int t = 0; t < n_rows; ++t) sum[t] = Isa::add_i(sum[t], Isa::mul_i(Isa::finish(dot[t]), part.sc[1]));
  }
}

template <Fold fold>
[[gnu::always_inline]] inline F add_part(const Part& part, const ActBlock& x, I dot, F acc) {
  const F dx = Isa::set(x.dx);
  acc = Isa::fma(Isa::to_f(dot), Isa::mul(part.scale, dx), acc);
  if constexpr (fold == Fold::kScaleAndMinimum) {
    const I sum = Isa::pair_products(Isa::broadcast4(x.sum), set_pair(1, 1));
    acc = Isa::fma(part.minimum, Isa::mul(Isa::to_f(sum), dx), acc);
  } else if constexpr (fold == Fold::kPer16AndMinimums) {
    const I minimums = Isa::pair_products(part.mn, Isa::broadcast4(x.sum));
    acc = Isa::fma(Isa::mul(part.minimum, dx), Isa::to_f(minimums), acc);
  }
  return acc;
}

// One register tile: kLanes outputs of a panel, from `lane` on, for n_rows activation rows.
template <typename Type, int n_rows>
[[gnu::always_inline]] inline void panel_tile(const PanelView& panel, int lane, const std::byte* x, int64_t row_bytes,
                                              F (&acc)[n_rows]) {
  constexpr int kParts = Type::kElements / kPartElements;
  const RowPointers<n_rows> rows(x, row_bytes);
  for (int t = 0; t < n_rows; ++t) acc[t] = Isa::zero();
  int64_t offset = 0;
  for (int64_t b = 0; b < panel.n_blocks; ++b) {
    const uint8_t* codes = panel.codes + b * Type::kCodeBytes + lane * 4;
    for (int i = 0; i < Type::kCodeBytes; i += 64) Isa::prefetch(codes + i + kPrefetchBytes);
    const typename Type::Header header(panel.header + b * Type::kHeaderBytes, lane);
    for (int chunk = 0; chunk < kParts / Type::kUnroll; ++chunk) {
      unroll<Type::kUnroll>([&](auto u) __attribute__((always_inline)) {
        constexpr int kUnrolled = decltype(u)::value;
        const Part part = header.part(chunk * Type::kUnroll + kUnrolled);
        I dot[n_rows];
        part_dots<Type, n_rows, kUnrolled>(codes, chunk, part, rows, offset, dot);
        for (int t = 0; t < n_rows; ++t) {
          acc[t] = add_part<Type::kFold>(part, rows.block(t, offset), dot[t], acc[t]);
        }
        offset += static_cast<int64_t>(sizeof(ActBlock));
      });
    }
  }
}

template <typename Type>
struct QuantizedPanels {
  template <int n_rows>
  [[gnu::always_inline]] static void tile(const MatmulArgs& args, int64_t panel, int lane, int64_t row,
                                          F (&acc)[n_rows]) {
    const PanelView view = open_panel(args, panel, args.n_in / Type::kElements, Type::kHeaderBytes);
    panel_tile<Type, n_rows>(view, lane, args.x + row * args.x_row_bytes, args.x_row_bytes, acc);
  }
};

template <typename Type>
[[gnu::always_inline]] inline void matmul_quantized(const MatmulArgs& args) {
  matmul_panels<QuantizedPanels<Type>>(args);
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
