#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <ctime>
#include <numeric>
#include <string>

#include "base/error.h"

namespace minfer {
namespace {

TEST(ThreadPool, RunsTheFunctionOncePerThread) {
  for (const int n : {1, 2, 3, 7}) {
    ThreadPool pool(n);
    std::vector<int> calls(static_cast<size_t>(n));
    pool.run([&](Region& region) {
      EXPECT_EQ(region.n_threads(), n);
      ++calls[static_cast<size_t>(region.thread())];
    });
    EXPECT_EQ(calls, std::vector<int>(static_cast<size_t>(n), 1));
  }
}

TEST(ThreadPool, BarrierShowsEverybodysWrites) {
  constexpr int kThreads = 4;
  ThreadPool pool(kThreads);
  std::vector<int> cells(kThreads, 0);
  pool.run([&](Region& region) {
    const auto mine = static_cast<size_t>(region.thread());
    for (int step = 1; step <= 300; ++step) {
      cells[mine] += step;
      region.barrier();
      EXPECT_EQ(std::accumulate(cells.begin(), cells.end(), 0), kThreads * step * (step + 1) / 2);
      region.barrier();
    }
  });
}

TEST(ThreadPool, RunsMoreThreadsThanCores) {
  ThreadPool pool(64);
  std::atomic<int> sum{0};
  for (int i = 0; i < 10; ++i) {
    pool.run([&](Region& region) {
      sum += region.thread();
      region.barrier();
      sum += 1;
    });
  }
  EXPECT_EQ(sum.load(), 10 * (64 * 63 / 2 + 64));
}

TEST(ThreadPool, RunsManySmallRegions) {
  ThreadPool pool(3);
  std::vector<int> counts(3, 0);
  for (int i = 0; i < 20000; ++i) pool.run([&](Region& region) { ++counts[static_cast<size_t>(region.thread())]; });
  EXPECT_EQ(counts, std::vector<int>(3, 20000));
}

std::string message_of(ThreadPool& pool, int first_thrower) {
  try {
    pool.run([&](Region& region) {
      region.barrier();
      if (region.thread() >= first_thrower) fail(ErrorCode::kDevice, "thread {}", region.thread());
      region.barrier();
      ADD_FAILURE() << "passed a barrier that cannot be complete";
    });
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ThreadPool, RethrowsAndCanBeUsedAgain) {
  ThreadPool pool(4);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(message_of(pool, 3), "thread 3");
    int runs = 0;
    pool.run([&](Region& region) {
      region.barrier();
      if (region.thread() == 0) ++runs;
      region.barrier();
      EXPECT_EQ(runs, 1);
    });
  }
}

TEST(ThreadPool, RethrowsTheErrorOfTheLowestThread) {
  ThreadPool pool(4);
  try {
    pool.run([&](Region& region) { fail(ErrorCode::kDevice, "thread {}", region.thread()); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "thread 0");
  }
}

TEST(ThreadPool, CallersErrorReleasesWorkersThatWait) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run([](Region& region) {
    if (region.thread() == 0) throw std::runtime_error("caller");
    region.barrier();
  }),
               std::runtime_error);
}

TEST(ThreadPool, RefusesCountsOutsideItsRange) {
  EXPECT_THROW(ThreadPool(0), Error);
  EXPECT_THROW(ThreadPool(-1), Error);
  EXPECT_THROW(ThreadPool(1025), Error);
}

TEST(ThreadPool, RefusesANestedRegion) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run([&](Region& region) {
    if (region.thread() == 0) pool.run([](Region&) {});
  }),
               Error);
  pool.run([](Region&) {});
}

// By arithmetic: fegetround() asks another unit's control word on x86.
bool rounds_up() {
  volatile float one = 1.0f;
  volatile float tiny = 0x1p-40f;
  return one + tiny > 1.0f;
}

TEST(ThreadPool, SetsTheFloatingPointStateOnEveryThread) {
  ThreadPool pool(3);
  std::fesetround(FE_UPWARD);
  pool.run([](Region&) { EXPECT_FALSE(rounds_up()); });
  EXPECT_TRUE(rounds_up());
  std::fesetround(FE_TONEAREST);
}

TEST(ThreadPool, UsesNoCpuWhenIdle) {
  ThreadPool pool(4);
  pool.run([](Region&) {});
  const timespec pause = {0, 50'000'000};
  nanosleep(&pause, nullptr);  // let the workers stop spinning
  const std::clock_t before = std::clock();
  const timespec idle = {0, 200'000'000};
  nanosleep(&idle, nullptr);
  const double cpu_seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  EXPECT_LT(cpu_seconds, 0.05);
}

}  // namespace
}  // namespace minfer
