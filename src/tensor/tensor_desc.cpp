// Byte sizes of tensors.
#include "tensor/tensor_desc.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {

int64_t TensorDesc::row_bytes() const {
  const DTypeInfo& info = dtype_info(dtype);
  const int64_t n = shape.row_elements();
  if (n % info.block_elements != 0) {
    fail(ErrorCode::kInvalidArgument, "[tensor] a row of {} elements is not a multiple of {}'s block of {}", n,
         info.name, info.block_elements);
  }
  return checked_multiply(n / info.block_elements, info.block_bytes, "tensor");
}

int64_t TensorDesc::size_bytes() const {
  return checked_multiply(row_bytes(), shape.n_rows(), "tensor");
}

std::string TensorDesc::to_string() const {
  return fmt::format("{} {}", dtype_name(dtype), shape.to_string());
}

}  // namespace minfer
