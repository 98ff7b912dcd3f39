// Pieces of docs/numerics.md that several op tests state again, written from that page and not from the kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "quant/act_block.h"

namespace minfer::ops_test {

// IEEE binary16 by its definition: the value of a code (exact), and the code of a value (to nearest, ties to even).
double f16_value(uint16_t code);
uint16_t f16_code(float value);

// Σ terms[i] in 16 lanes, element i in lane i mod 16, lanes folded 8, 4, 2, 1 apart.
float lane_sum(const std::vector<float>& terms);
// The same with each lane fused: fma(x, x, lane).
float lane_sum_of_squares(const std::vector<float>& x);

// Blocks of 32 activations: amax / 127, rint(x · (127 / amax)) within ±127, zeros below 1e-30, NaN for non-finite x.
std::vector<ActBlock> act_blocks(const std::vector<float>& x);

}  // namespace minfer::ops_test
