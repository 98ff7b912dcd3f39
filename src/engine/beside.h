// One piece of work on a thread of its own, beside what the caller does.
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"

namespace minfer {

class Beside {
 public:
  // Starts `work()`. Throws kOutOfMemory when the system has no thread for it.
  template <typename Work>
  explicit Beside(Work work) {
    try {
      thread_ = std::thread([this, work = std::move(work)] {
        try {
          work();
        } catch (...) {
          error_ = std::current_exception();
        }
      });
    } catch (const std::system_error& error) {
      fail(ErrorCode::kOutOfMemory, "[threads] the system has no thread to load beside: {}", error.what());
    }
  }
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
