// A queue of work that one thread does in order, after seeded random delays, and events to wait for in it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

namespace minfer::test {

// Set once by a stream. Carries the failure of the work before it.
class TestEvent {
 public:
  void set(std::exception_ptr error);
  // Returns when it is set; rethrows the failure. Gives up after 10 s with an Error.
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
  std::exception_ptr error_;
};

class TestStream {
 public:
  TestStream(uint64_t seed, int max_delay_us);
  ~TestStream();  // finishes the queue

  // After a failure, work is skipped until synchronize().
  void enqueue(std::function<void()> work);
  // An event that is set when all work before it is done; it carries that work's failure.
  std::shared_ptr<TestEvent> record();
  // Waits for all work; rethrows the first failure and forgets it.
  void synchronize();

 private:
  struct Item {
    std::function<void()> work;
    std::shared_ptr<TestEvent> event;  // instead of work
    bool forgets_error = false;        // … and the stream works again behind it
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
  std::exception_ptr error_;  // of the thread
  std::thread thread_;        // last: it uses the rest
};

}  // namespace minfer::test
