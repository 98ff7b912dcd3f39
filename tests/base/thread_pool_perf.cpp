// What the thread pool costs: printed, with bounds that only a collapse misses on a quiet machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/cpu_info.h"
#include "base/thread_pool.h"

namespace minfer {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Best of several tries.
double barrier_ns(int n_threads, int n_barriers) {
  ThreadPool pool(n_threads);
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const Clock::time_point start = Clock::now();
    pool.run([&](Region& region) {
      for (int i = 0; i < n_barriers; ++i) region.barrier();
    });
    best = std::min(best, ns_since(start) / n_barriers);
  }
  return best;
}

double region_ns(int n_threads, int n_regions) {
  ThreadPool pool(n_threads);
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < n_regions; ++i) pool.run([](Region&) {});
    best = std::min(best, ns_since(start) / n_regions);
  }
  return best;
}

void show(const char* what, int n_threads, double ns) {
  fmt::print("{} of {:>2} threads on {} cores: {:.0f} ns\n", what, n_threads, usable_cores().count, ns);
}

TEST(ThreadPoolCost, OfBarriersAndRegions) {
  const int n_cores = usable_cores().count;
  for (const int n_threads : std::set{1, 2, n_cores}) {
    if (n_threads > n_cores) continue;
    const double barrier = barrier_ns(n_threads, 20000);
    show("barrier", n_threads, barrier);
    EXPECT_LT(barrier, 100e3);
    show("region ", n_threads, region_ns(n_threads, 5000));
  }
}

// A wake-up through the kernel for every thread, and no more.
TEST(ThreadPoolCost, OfBarriersWithMoreThreadsThanCores) {
  const int n_cores = usable_cores().count;
  for (const int n_threads : {n_cores + 1, 32 * n_cores}) {
    const double barrier = barrier_ns(n_threads, 200);
    show("barrier", n_threads, barrier);
    EXPECT_LT(barrier, 200e3 * n_threads);
  }
}

}  // namespace
}  // namespace minfer
