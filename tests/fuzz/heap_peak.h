// The most heap memory in use since an object of HeapPeak was made, above what was in use then. Counted by the address
// sanitizer's hooks of clang; elsewhere it is 0.
#pragma once

#include <cstdint>

namespace minfer::fuzz {

class HeapPeak {
 public:
  HeapPeak();
  uint64_t bytes() const;

 private:
  uint64_t start_;
};

}  // namespace minfer::fuzz
