// Checked arithmetic on tensor extents.
#include "tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace minfer {
namespace {

// A zero anywhere makes the product zero, also when the others alone would overflow.
int64_t product(std::span<const int64_t> dims) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  int64_t n = 1;
  for (int64_t dim : dims) n = checked_multiply(n, dim, "shape");
  return n;
}

}  // namespace

int64_t checked_multiply(int64_t a, int64_t b, const char* what) {
  check(a >= 0 && b >= 0, "[{}] negative factor: {} * {}", what, a, b);
  if (a != 0 && b > std::numeric_limits<int64_t>::max() / a) {
    fail(ErrorCode::kInvalidArgument, "[{}] {} * {} does not fit 64 bits", what, a, b);
  }
  return a * b;
}

Shape::Shape(std::span<const int64_t> dims) {
  if (dims.size() > kMaxRank) {
    fail(ErrorCode::kInvalidArgument, "[shape] too many dimensions: expected at most {}, got {}", kMaxRank,
         dims.size());
  }
  for (int64_t dim : dims) {
    if (dim < 0) fail(ErrorCode::kInvalidArgument, "[shape] negative dimension {}", dim);
    dims_[static_cast<size_t>(rank_++)] = dim;
  }
}

int64_t Shape::operator[](int i) const {
  const int index = i < 0 ? i + rank_ : i;
  check(index >= 0 && index < rank_, "[shape] dimension {} of {}", i, to_string());
  return dims_[static_cast<size_t>(index)];
}

int64_t Shape::n_elements() const {
  return product(dims());
}

int64_t Shape::n_rows() const {
  return rank_ == 0 ? 1 : product(dims().first(static_cast<size_t>(rank_ - 1)));
}

std::string Shape::to_string() const {
  return fmt::format("[{}]", fmt::join(dims(), ", "));
}

}  // namespace minfer
