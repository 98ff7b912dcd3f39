// What an engine takes from its surroundings and what it leaves alone: the caller's floating-point state, idle cores.
#include <gtest/gtest.h>

#include <cfenv>
#include <chrono>
#include <thread>

#include "base/cpu_info.h"
#include "tests/support/cpu_time.h"
#include "tests/support/golden_models.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace minfer::test {
namespace {

// Rounds downwards and, on x86, flushes subnormal results and operands to zero, while the object lives.
class HostileFloatState {
 public:
  HostileFloatState() {
#if defined(__x86_64__)
    saved_ = _mm_getcsr();
#endif
    std::fesetround(FE_DOWNWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
    mine_ = _mm_getcsr();
#endif
  }
  ~HostileFloatState() {
    std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr(saved_);
#endif
  }
  HostileFloatState(const HostileFloatState&) = delete;
  HostileFloatState& operator=(const HostileFloatState&) = delete;

  bool is_in_force() const {
#if defined(__x86_64__)
    if ((_mm_getcsr() & ~0x3FU) != (mine_ & ~0x3FU)) return false;
#endif
    return std::fegetround() == FE_DOWNWARD;
  }

 private:
#if defined(__x86_64__)
  unsigned saved_;
  unsigned mine_;
#endif
};

// One with frequencies that loading computes, one with rounded activations, one whose file stores them.
TEST(Environment, TheCallersFloatingPointStateChangesNoBit) {
  for (const char* model : {"llama-f32-linear-mha", "qwen2-q6_k", "llama-f32-rope-freqs"}) {
    const GoldenCase golden = golden_case(model);
    EngineOptions options = golden_options(golden);
    options.n_threads = 2;
    Engine calm(options);
    const std::vector<float> expected = run_alone(calm, golden.tokens);
    const HostileFloatState hostile;
    Engine engine(options);
    EXPECT_EQ(run_alone(engine, golden.tokens), expected) << model;
    EXPECT_EQ(run_alone(calm, golden.tokens), expected) << model;
    EXPECT_TRUE(hostile.is_in_force()) << model;
  }
}

// 10 ms in 10 s is the bar; a fifth of each is measured.
TEST(Environment, AnIdleEngineUsesNoCpu) {
  const GoldenCase golden = golden_case("qwen2-q6_k");
  EngineOptions options = golden_options(golden);
  options.n_threads = usable_cores().count;
  Engine engine(options);
  run_alone(engine, golden.tokens);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // lets the workers fall asleep
  const double before = process_cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(process_cpu_seconds() - before, 0.002);
}

}  // namespace
}  // namespace minfer::test
