// What a tensor is without its data: element type and shape, and the bytes that follow from them. Rows are dense.
#pragma once

#include <cstdint>
#include <string>

#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace minfer {

struct TensorDesc {
  DType dtype = DType::kF32;
  Shape shape;

  // Bytes of one row (the fastest dimension). Error kInvalidArgument when its length is not a whole number of blocks.
  int64_t row_bytes() const;

  // Bytes of the tensor. Error kInvalidArgument as above, and when the product exceeds int64.
  int64_t size_bytes() const;

  // "Q4_0 [512, 64]"
  std::string to_string() const;

  bool operator==(const TensorDesc& other) const = default;
};

}  // namespace minfer
