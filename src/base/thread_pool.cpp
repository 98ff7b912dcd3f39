// The region protocol: run() publishes a job and raises the epoch; workers run it and count themselves out. A barrier
// is a counter and a generation; a thread that throws poisons it, so that everybody leaves.
#include "base/thread_pool.h"

#include <system_error>
#include <utility>

#include "base/cpu_info.h"
#include "base/error.h"
#include "base/float_state.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace minfer {

namespace {

// Thrown by a barrier when another thread of the region has failed. Not a std::exception: nobody shall report it.
struct RegionAborted {};

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

int checked_thread_count(int n_threads) {
  if (n_threads < 1 || n_threads > ThreadPool::kMaxThreads) {
    fail(ErrorCode::kInvalidArgument, "[threads] the number of threads must be from 1 to {}, got {}",
         ThreadPool::kMaxThreads, n_threads);
  }
  return n_threads;
}

// With more threads than cores a spinning thread keeps the one it waits for from running.
int spins_for(int n_threads) {
  constexpr int kSpins = 2000;  // some ten microseconds: about what sleeping and waking cost
  return n_threads > usable_cores().count ? 0 : kSpins;
}

}  // namespace

void Region::barrier() {
  pool_->barrier();
}

ThreadPool::ThreadPool(int n_threads)
    : n_threads_(checked_thread_count(n_threads)),
      n_spins_(spins_for(n_threads)),
      errors_(static_cast<size_t>(n_threads)) {
  workers_.reserve(static_cast<size_t>(n_threads - 1));
  try {
    for (int thread = 1; thread < n_threads; ++thread) {
      workers_.emplace_back([this, thread] { worker_main(thread); });
    }
  } catch (const std::system_error& error) {
    const size_t started = workers_.size() + 1;
    stop();
    fail(ErrorCode::kOutOfMemory, "[threads] the system started {} of {} threads: {}", started, n_threads,
         error.what());
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() noexcept {
  stopping_.store(true);
  epoch_.fetch_add(1);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void ThreadPool::wait_while_equal(const std::atomic<uint32_t>& word, uint32_t old) const {
  for (int i = 0; i < n_spins_; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  word.wait(old, std::memory_order_acquire);
}

void ThreadPool::worker_main(int thread) {
  const FloatState state;
  uint32_t seen = 0;
  while (true) {
    wait_while_equal(epoch_, seen);
    ++seen;  // run() raises the epoch by one and waits for all workers, so none is ever missed
    if (stopping_.load()) return;
    run_as(thread);
    finish_worker();
  }
}

void ThreadPool::finish_worker() noexcept {
  if (n_working_.fetch_sub(1, std::memory_order_acq_rel) == 1) n_working_.notify_all();
}

void ThreadPool::run_as(int thread) noexcept {
  Region region(this, thread, n_threads_);
  try {
    job_.call(job_.object, region);
  } catch (const RegionAborted&) {
  } catch (...) {
    errors_[static_cast<size_t>(thread)] = std::current_exception();
    poison();
  }
}

void ThreadPool::run_job(Job job) {
  check(!running_.exchange(true), "[threads] a parallel region is already running on this pool");
  const FloatState state;
  job_ = job;
  n_arrived_.store(0, std::memory_order_relaxed);
  poisoned_.store(false, std::memory_order_relaxed);
  n_working_.store(static_cast<uint32_t>(n_threads_ - 1), std::memory_order_relaxed);
  if (n_threads_ > 1) {
    epoch_.fetch_add(1, std::memory_order_release);
    epoch_.notify_all();
  }
  run_as(0);
  for (uint32_t left = n_working_.load(std::memory_order_acquire); left != 0;
       left = n_working_.load(std::memory_order_acquire)) {
    wait_while_equal(n_working_, left);
  }
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_) {
    if (first == nullptr) first = error;
    error = nullptr;
  }
  running_.store(false);
  if (first != nullptr) std::rethrow_exception(first);
}

void ThreadPool::barrier() {
  const uint32_t generation = generation_.load(std::memory_order_acquire);
  // Checked behind the load: whoever poisons raises the generation afterwards, so one of the two is seen.
  if (poisoned_.load()) throw RegionAborted{};
  if (n_arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<uint32_t>(n_threads_)) {
    n_arrived_.store(0, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  } else {
    wait_while_equal(generation_, generation);
  }
  if (poisoned_.load()) throw RegionAborted{};
}

void ThreadPool::poison() noexcept {
  poisoned_.store(true);
  generation_.fetch_add(1);
  generation_.notify_all();
}

}  // namespace minfer
