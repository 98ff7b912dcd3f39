// The floating-point state that every result depends on, set for a scope and restored behind it (docs/numerics.md).
#pragma once

#include <cstdint>

namespace minfer {

// Sets this thread's MXCSR (x86) or FPCR (arm64): round to nearest, no flush to zero, no denormals-are-zero, all
// exceptions masked. The destructor restores what was there. Every engine entry and every worker thread holds one.
class FloatState {
 public:
  FloatState();
  ~FloatState();
  FloatState(const FloatState&) = delete;
  FloatState& operator=(const FloatState&) = delete;

 private:
  uint64_t saved_;
};

}  // namespace minfer
