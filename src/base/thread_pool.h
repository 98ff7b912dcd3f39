// Worker threads that run one parallel region at a time, with a barrier inside it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <type_traits>
#include <vector>

namespace minfer {

class ThreadPool;

// What one thread of a running region sees: its number, how many there are, and the barrier they share.
class Region {
 public:
  int thread() const { return thread_; }  // 0 is the caller of run()
  int n_threads() const { return n_threads_; }

  // Returns when every thread of the region has called it; writes made before it are visible to all behind it. All
  // threads must pass the same number of barriers. When another thread has thrown, it leaves by an internal exception:
  // let it through.
  void barrier();

 private:
  friend class ThreadPool;
  Region(ThreadPool* pool, int thread, int n_threads) : pool_(pool), thread_(thread), n_threads_(n_threads) {}

  ThreadPool* pool_;
  int thread_;
  int n_threads_;
};

// An engine owns one. Threads wait by spinning for some microseconds and then sleep: an idle pool uses no CPU. They do
// not spin when there are more of them than usable cores. Every thread runs in the floating-point state of
// base/float_state.h.
class ThreadPool {
 public:
  static constexpr int kMaxThreads = 1024;

  // Starts n_threads - 1 workers. kInvalidArgument unless 1 <= n_threads <= 1024; kOutOfMemory when the system refuses
  // a thread.
  explicit ThreadPool(int n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int n_threads() const { return n_threads_; }

  // Calls fn(Region&) once on every thread, the caller's included, and returns when all are done. When calls throw, the
  // exception of the lowest thread is rethrown here and the pool can be used again. One region at a time: a nested or
  // concurrent run() is kInternal.
  template <typename Fn>
  void run(Fn&& fn) {
    using Callable = std::remove_reference_t<Fn>;
    run_job({const_cast<void*>(static_cast<const void*>(&fn)),
             [](void* object, Region& region) { (*static_cast<Callable*>(object))(region); }});
  }

 private:
  friend class Region;

  struct Job {
    void* object = nullptr;
    void (*call)(void* object, Region& region) = nullptr;
  };

  void run_job(Job job);
  void run_as(int thread) noexcept;
  void worker_main(int thread);
  void finish_worker() noexcept;
  void stop() noexcept;
  void barrier();
  void poison() noexcept;
  void wait_while_equal(const std::atomic<uint32_t>& word, uint32_t old) const;

  const int n_threads_;
  const int n_spins_;
  Job job_;
  std::vector<std::exception_ptr> errors_;  // [n_threads]
  std::vector<std::thread> workers_;        // [n_threads - 1]
  std::atomic<bool> running_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> poisoned_{false};
  alignas(64) std::atomic<uint32_t> epoch_{0};       // one per region; workers wait for the next
  alignas(64) std::atomic<uint32_t> n_working_{0};   // workers still inside the region
  alignas(64) std::atomic<uint32_t> n_arrived_{0};   // threads that reached the present barrier
  alignas(64) std::atomic<uint32_t> generation_{0};  // barriers passed
};

}  // namespace minfer
