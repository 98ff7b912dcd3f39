// Many short texts in one block of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minfer {

// Owns the bytes. Views of it are valid until the next append.
class TextList {
 public:
  TextList() : starts_(1, 0) {}

  // Bytes in all must stay below 4 GiB, which the caller sees to; so below.
  void reserve(size_t n_texts, size_t n_bytes) {
    starts_.reserve(n_texts + 1);
    bytes_.reserve(n_bytes);
  }

  void append(std::string_view text) {
    bytes_.append(text);
    starts_.push_back(static_cast<uint32_t>(bytes_.size()));
  }

  size_t size() const { return starts_.size() - 1; }
  std::string_view operator[](size_t i) const { return {bytes_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }

  // Heap memory that it holds.
  size_t size_bytes() const { return bytes_.capacity() + starts_.capacity() * sizeof(starts_[0]); }

 private:
  std::string bytes_;
  std::vector<uint32_t> starts_;  // [size() + 1]
};

}  // namespace minfer
