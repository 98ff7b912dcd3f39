// The form in which vector kernels read weights: rows interleaved by 16, so that lanes are rows and one load feeds
// sixteen outputs (docs/numerics.md asks for one chain per output).
//
// A matrix [out, n_in] becomes ceil(out / 16) panels; rows that the last one lacks are zero. A panel holds, for each
// field of the type's block, sixteen rows side by side: [block][unit][16 rows] of units of 1, 2 or 4 bytes. Scales and
// minimums come first (the header area, padded to 64 bytes), then the codes (the code area). The bytes are those of the
// file; only the fifth bits of Q5_0 and Q5_1 are spread, so that byte b of a row holds those of elements b, b + 4, ….
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"

namespace minfer::cpu {

inline constexpr int kPanelRows = 16;
inline constexpr int64_t kPanelAlignment = 64;

// Whether the type has an interleaved form: all types with a codec have.
bool can_interleave(DType dtype);

// Bytes of a panel of rows of n_in elements, a multiple of 64.
int64_t panel_bytes(DType dtype, int64_t n_in);

// Panels of a matrix of n_out rows.
inline int64_t n_panels(int64_t n_out) {
  return (n_out + kPanelRows - 1) / kPanelRows;
}

// `rows`: n_rows (1 to 16) rows of the file, one behind the other; `panel`: panel_bytes(dtype, n_in).
void interleave(DType dtype, int64_t n_in, const std::byte* rows, int n_rows, std::byte* panel);

// The inverse for n_blocks blocks of one row (0 to 15) of a panel: the bytes of the file.
void deinterleave(DType dtype, int64_t n_in, const std::byte* panel, int row, int64_t first_block, int64_t n_blocks,
                  std::byte* out);

}  // namespace minfer::cpu
