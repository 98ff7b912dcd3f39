// One piece of work on a thread of its own, beside what the caller does.
#pragma once

#include <exception>
#include <thread>
#include <utility>

namespace minfer {

class Beside {
 public:
  // Starts `work()`. Throws std::system_error when the system has no thread for it.
  template <typename Work>
  explicit Beside(Work work)
      : thread_([this, work = std::move(work)] {
          try {
            work();
          } catch (...) {
            error_ = std::current_exception();
          }
        }) {}
  // Waits; what the work threw is lost if finish() was not called.
  ~Beside() {
    if (thread_.joinable()) thread_.join();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Waits, and throws what the work threw.
  void finish() {
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace minfer
