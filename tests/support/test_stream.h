// A queue of work that one thread does in order, after seeded random delays, and events to wait for in it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "base/error.h"

namespace minfer::test {

// What failed in a stream. Not an exception_ptr: its reference count lies in a library that ThreadSanitizer cannot see
// into.
struct Failure {
  ErrorCode code;
  std::string message;
};

// Set once by a stream. Carries the failure of the work before it.
class TestEvent {
 public:
  void set(const std::optional<Failure>& failure);
  // Returns when it is set; throws the failure. Gives up after 10 s with an Error.
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
  std::optional<Failure> failure_;
};

class TestStream {
 public:
  TestStream(uint64_t seed, int max_delay_us);
  ~TestStream();  // finishes the queue

  // After a failure, work is skipped until synchronize().
  void enqueue(std::function<void()> work);
  // An event that is set when all work before it is done; it carries that work's failure.
  std::shared_ptr<TestEvent> record();
  // Waits for all work; throws the first failure and forgets it.
  void synchronize();

 private:
  struct Item {
    std::function<void()> work;
    std::shared_ptr<TestEvent> event;  // instead of work
    bool forgets_failure = false;      // … and the stream works again behind it
  };

  void push(Item item);
  void main();
  void handle(Item& item);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  bool stopping_ = false;
  std::mt19937_64 random_;  // of the thread
  int max_delay_us_;
  std::optional<Failure> failure_;  // of the thread
  std::thread thread_;              // last: it uses the rest
};

}  // namespace minfer::test
