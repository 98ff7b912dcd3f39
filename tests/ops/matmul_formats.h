// Weights as docs/numerics.md sees them, read from the bytes of a row by the byte layouts of the formats: written for
// the matmul tests alone, next to nothing shared with the kernels.
#pragma once

#include "tensor/dtype.h"
#include "tests/ops/data.h"

namespace minfer::ops_test {

// The minimum that a type adds per block of 32.
enum class Minimum {
  kNone,
  kOne,    // fma(m, s, acc)
  kPer16,  // fma(-(dmin·dx), mn0·S0 + mn1·S1, acc)
};

// 32 consecutive weights: w = scale · sc[i / 16] · q[i], plus or minus a minimum.
struct Part {
  int q[32] = {};
  int sc[2] = {1, 1};  // scales per 16 that enter the integer dot product
  float scale = 0;     // d, or d·sc
  Minimum minimum = Minimum::kNone;
  float m = 0;         // kOne
  float dmin = 0;      // kPer16
  int mn[2] = {0, 0};  // kPer16
};

// Weights 32·part … 32·part + 31 of the row at `row`.
Part read_part(DType dtype, const std::byte* row, int64_t part);

// Where the f16 numbers of a block stand.
std::vector<size_t> scale_offsets(DType dtype);

// A row of `n` weights of a block-quantized type whose f16 scales are small numbers of either sign; the rest of the
// bytes is random.
Bytes plausible_row(DType dtype, uint64_t seed, int64_t n);

}  // namespace minfer::ops_test
