// The table of shapes that ops over two alike inputs share.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "tests/ops/conformance.h"

namespace minfer::ops_test {

struct ElementwiseShape {
  int64_t capacity;
  int64_t rows;
  int64_t n;
  Fill fill;
};

// Widths around those of vector registers, a width that threads do not divide, rows left unused, hostile data.
inline constexpr ElementwiseShape kElementwiseShapes[] = {
    {1, 1, 1, Fill::kPlain},   {1, 1, 15, Fill::kPlain},   {3, 2, 16, Fill::kPlain},    {4, 3, 17, Fill::kPlain},
    {2, 2, 576, Fill::kPlain}, {8, 5, 33, Fill::kPlain},   {5, 1, 31, Fill::kHostile},  {7, 7, 13, Fill::kHostile},
    {3, 2, 64, Fill::kPlain},  {1, 1, 4096, Fill::kPlain}, {4, 2, 256, Fill::kHostile}, {2, 2, 7, Fill::kHostile},
    {1, 1, 8, Fill::kPlain},   {3, 1, 9, Fill::kHostile},  {2, 1, 47, Fill::kHostile},
};

// Checks `op(builder, a, b, "y")` against `expected(a_i, b_i)`.
inline void check_binary(ValueId (*op)(GraphBuilder&, ValueId, ValueId, const std::string&),
                         const std::function<float(float, float)>& expected) {
  for (const ElementwiseShape& shape : kElementwiseShapes) {
    OpCase c(fmt::format("{} of {} rows of {}", shape.rows, shape.capacity, shape.n), shape.capacity);
    const ValueId a = c.input("a", DType::kF32, {shape.n});
    const ValueId b = c.input("b", DType::kF32, {shape.n});
    const ValueId y = op(c.builder(), a, b, "y");
    const std::vector<float> a_data = random_floats(1, shape.rows * shape.n, shape.fill);
    const std::vector<float> b_data = random_floats(2, shape.rows * shape.n, shape.fill);
    std::vector<float> y_data;
    for (size_t i = 0; i < a_data.size(); ++i) y_data.push_back(expected(a_data[i], b_data[i]));
    c.step(shape.rows);
    c.feed(a, to_bytes(a_data));
    c.feed(b, to_bytes(b_data));
    c.expect(y, to_bytes(y_data));
    c.check();
  }
}

}  // namespace minfer::ops_test
