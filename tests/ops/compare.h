// Compares two tensors byte by byte, NaN equal to NaN, and says where they differ most.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tensor/dtype.h"

namespace minfer::ops_test {

// Nothing when equal. Else "3 of 96 differ; worst at 17: got 1.5, expected 1.25": the element with the largest
// difference. Quantized blocks are compared whole: the index is the block's, the values the first byte that differs.
// Types: F32, F16, I32, Q8A.
std::optional<std::string> difference(DType dtype, std::span<const std::byte> got, std::span<const std::byte> expected);

}  // namespace minfer::ops_test
