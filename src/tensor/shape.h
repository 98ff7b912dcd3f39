// The extents of a tensor: up to four dimensions, slowest first (a matrix is [rows, columns]).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace minfer {

// a * b, or Error kInvalidArgument "[what] …" when the product of the two non-negative numbers exceeds int64.
int64_t checked_multiply(int64_t a, int64_t b, const char* what);

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  // Rank 0: a scalar, one element.
  Shape() = default;

  // Errors: kInvalidArgument for more than four dimensions or a negative one. A zero is allowed: no elements.
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);

  int rank() const { return rank_; }

  // Extent of dimension i, 0 = slowest; negative i counts from the fastest: -1 is the row length. Error kInternal
  // outside the rank.
  int64_t operator[](int i) const;

  std::span<const int64_t> dims() const { return {dims_.data(), static_cast<size_t>(rank_)}; }

  // Product of the extents. Error kInvalidArgument when it exceeds int64.
  int64_t n_elements() const;

  // Extent of the fastest dimension (1 for a scalar), and the product of all others.
  int64_t row_elements() const { return rank_ == 0 ? 1 : dims_[static_cast<size_t>(rank_ - 1)]; }
  int64_t n_rows() const;

  // "[512, 64]"
  std::string to_string() const;

  bool operator==(const Shape& other) const = default;

 private:
  std::array<int64_t, kMaxRank> dims_{};  // unused ones stay 0
  int rank_ = 0;
};

}  // namespace minfer
