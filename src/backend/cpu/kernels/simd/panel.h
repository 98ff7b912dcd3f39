// Walks the panels of a matrix for the rows of a step: the loops that all element types share.
#pragma once

#include "backend/cpu/kernels/kernel_args.h"
#include "backend/cpu/kernels/simd/isa.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

constexpr int kRowsOfPanel = 16;          // interleave.h
constexpr int64_t kPrefetchBytes = 1024;  // ahead of the codes in use

struct PanelView {
  const uint8_t* header;  // [n_blocks][header bytes of sixteen blocks]
  const uint8_t* codes;   // [n_blocks][code bytes of sixteen blocks]
  int64_t n_blocks;
};

[[gnu::always_inline]] inline PanelView open_panel(const MatmulArgs& args, int64_t panel, int64_t n_blocks,
                                                   int64_t header_bytes) {
  const auto* base = reinterpret_cast<const uint8_t*>(args.weight) + panel * args.weight_stride_bytes;
  return {base, base + (n_blocks * header_bytes + 63) / 64 * 64, n_blocks};
}

// Writes one row's outputs of a tile, bias added, as far as they are asked for.
[[gnu::always_inline]] inline void store_tile_row(const MatmulArgs& args, int64_t out, int64_t row, F acc) {
  float* y = args.y + row * args.y_stride + out;
  const int64_t left = args.n_out - out;
  if (left >= Isa::kLanes) {
    if (args.bias != nullptr) acc = Isa::add(acc, Isa::load(args.bias + out));
    Isa::store(y, acc);
  } else if (left > 0) {
    const auto n = static_cast<int>(left);
    if (args.bias != nullptr) acc = Isa::add(acc, Isa::load_first(args.bias + out, n));
    Isa::store_first(y, acc, n);
  }
}

// n_rows rows from `row` on, over all panels.
template <typename Panels, int n_rows>
[[gnu::noinline]] void panels_for_rows(const MatmulArgs& args, int64_t row) {
  for (int64_t out = 0; out < args.n_out; out += Isa::kLanes) {
    F acc[n_rows];
    Panels::template tile<n_rows>(args, out / kRowsOfPanel, static_cast<int>(out % kRowsOfPanel), row, acc);
    for (int t = 0; t < n_rows; ++t) store_tile_row(args, out, row + t, acc[t]);
  }
}

// The instance for n rows, 1 to max_rows.
template <typename Panels, int max_rows>
[[gnu::always_inline]] inline void panels_for_n_rows(const MatmulArgs& args, int64_t row, int64_t n) {
  if (n == max_rows) return panels_for_rows<Panels, max_rows>(args, row);
  if constexpr (max_rows > 1) panels_for_n_rows<Panels, max_rows - 1>(args, row, n);
}

template <typename Panels>
[[gnu::always_inline]] inline void matmul_panels(const MatmulArgs& args) {
  for (int64_t row = 0; row < args.n_rows; row += Isa::kMaxRows) {
    const int64_t left = args.n_rows - row;
    panels_for_n_rows<Panels, Isa::kMaxRows>(args, row, left < Isa::kMaxRows ? left : Isa::kMaxRows);
  }
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
