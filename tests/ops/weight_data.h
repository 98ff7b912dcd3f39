// Matrices of any type for cases that only compare one graph with another.
#pragma once

#include "quant/codec.h"
#include "tensor/tensor_desc.h"
#include "tests/ops/data.h"
#include "tests/ops/matmul_formats.h"

namespace minfer::ops_test {

// [out][row of n_in]: ordinary numbers, other ones for another seed.
inline Bytes weight_rows(DType dtype, uint64_t seed, int64_t out, int64_t n_in) {
  Bytes all;
  for (int64_t o = 0; o < out; ++o) {
    const uint64_t row_seed = seed * 1000 + static_cast<uint64_t>(o);
    Bytes row(static_cast<size_t>(TensorDesc{dtype, {1, n_in}}.row_bytes()));
    if (dtype_info(dtype).is_quantized()) {
      row = plausible_row(dtype, row_seed, n_in);
    } else {
      quantize(dtype, random_floats(row_seed, n_in), row);
    }
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace minfer::ops_test
