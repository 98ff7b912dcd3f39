#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <chrono>
#include <numeric>
#include <string>

#include "base/cpu_info.h"
#include "base/error.h"
#include "tests/support/cpu_time.h"

namespace minfer {
namespace {

using test::process_cpu_seconds;

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
  for (const auto& [n_threads, n_regions] : {std::pair{2, 5000}, {3, 500}}) {  // spinning, mostly; sleeping
    ThreadPool pool(n_threads);
    std::vector<int> counts(static_cast<size_t>(n_threads), 0);
    for (int i = 0; i < n_regions; ++i) {
      pool.run([&](Region& region) { ++counts[static_cast<size_t>(region.thread())]; });
    }
    EXPECT_EQ(counts, std::vector<int>(static_cast<size_t>(n_threads), n_regions));
  }
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

// Whoever throws, one or several at once, before the first barrier, between two or behind the last: nobody hangs, one
// of the exceptions arrives, and the pool works on. (A thread that waits when another throws never gets to throw its
// own.)
TEST(ThreadPool, WhoeverThrowsNobodyHangs) {
  constexpr int kBarriers = 3;
  for (const int n_threads : {1, 2, 4, 9}) {
    ThreadPool pool(n_threads);
    const int n_sets = 1 << std::min(n_threads, 4);
    for (int throwers = 1; throwers < n_sets; ++throwers) {
      for (int at = 0; at <= kBarriers; ++at) {
        int caught = 31;
        try {
          pool.run([&](Region& region) {
            const bool throws = region.thread() < 4 && (throwers >> region.thread() & 1) != 0;
            for (int step = 0; step <= kBarriers; ++step) {
              if (throws && step == at) throw region.thread();  // not even a std::exception
              if (step < kBarriers) region.barrier();
            }
          });
        } catch (int thread) {
          caught = thread;
        }
        EXPECT_NE(throwers >> caught & 1, 0) << n_threads << " threads, set " << throwers << " before barrier " << at;
        std::atomic<int> works{0};
        pool.run([&](Region& region) {
          region.barrier();
          ++works;
        });
        EXPECT_EQ(works.load(), n_threads);
      }
    }
  }
}

// The threads that wait have gone to sleep long before.
TEST(ThreadPool, AnErrorWakesThreadsThatSleepAtABarrier) {
  ThreadPool pool(3);
  for (const int thrower : {0, 2}) {
    EXPECT_THROW(pool.run([&](Region& region) {
      if (region.thread() == thrower) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        throw std::runtime_error("late");
      }
      region.barrier();
    }),
                 std::runtime_error);
  }
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

// 10 ms in 10 s is the bar; a fifth of each is measured.
TEST(ThreadPool, UsesNoCpuWhenIdle) {
  const int n_cores = usable_cores().count;
  ThreadPool spinning(n_cores);
  ThreadPool crowded(n_cores + 5);
  for (ThreadPool* pool : {&spinning, &crowded}) pool->run([](Region& region) { region.barrier(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // lets them fall asleep
  const double before = process_cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(process_cpu_seconds() - before, 0.002);
}

}  // namespace
}  // namespace minfer
