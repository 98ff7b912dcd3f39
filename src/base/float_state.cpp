// Reads and writes the control register that SSE or NEON arithmetic obeys.
#include "base/float_state.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace minfer {

namespace {

#if defined(__x86_64__)
constexpr uint64_t kDefaultState = 0x1F80;  // all six exceptions masked, nearest, FTZ and DAZ off, no sticky flags

uint64_t read_state() {
  return _mm_getcsr();
}
void write_state(uint64_t state) {
  _mm_setcsr(static_cast<unsigned>(state));
}
#elif defined(__aarch64__)
constexpr uint64_t kDefaultState = 0;  // no traps, nearest, FZ off

uint64_t read_state() {
  uint64_t state = 0;
  asm volatile("mrs %0, fpcr" : "=r"(state));
  return state;
}
void write_state(uint64_t state) {
  asm volatile("msr fpcr, %0" : : "r"(state));
}
#else
#error "minfer runs on x86-64 and arm64"
#endif

}  // namespace

FloatState::FloatState() : saved_(read_state()) {
  write_state(kDefaultState);
}

FloatState::~FloatState() {
  write_state(saved_);
}

}  // namespace minfer
