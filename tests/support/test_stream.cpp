#include "tests/support/test_stream.h"

#include <chrono>

namespace minfer::test {

void TestEvent::set(const std::optional<Failure>& failure) {
  {
    const std::lock_guard lock(mutex_);
    set_ = true;
    failure_ = failure;
  }
  changed_.notify_all();
}

void TestEvent::wait() {
  std::unique_lock lock(mutex_);
  const bool in_time = changed_.wait_for(lock, std::chrono::seconds(10), [&] { return set_; });
  if (!in_time) fail(ErrorCode::kDevice, "[test device] an event was not set within 10 s");
  if (failure_) throw Error(failure_->code, failure_->message);
}

TestStream::TestStream(uint64_t seed, int max_delay_us)
    : random_(seed), max_delay_us_(max_delay_us), thread_([this] { main(); }) {}

TestStream::~TestStream() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TestStream::enqueue(std::function<void()> work) {
  push({std::move(work), nullptr, false});
}

std::shared_ptr<TestEvent> TestStream::record() {
  auto event = std::make_shared<TestEvent>();
  push({nullptr, event, false});
  return event;
}

void TestStream::synchronize() {
  auto event = std::make_shared<TestEvent>();
  push({nullptr, event, true});
  event->wait();
}

void TestStream::push(Item item) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void TestStream::main() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Item item = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    handle(item);
  }
}

void TestStream::handle(Item& item) {
  if (item.event) {
    item.event->set(failure_);
    if (item.forgets_failure) failure_.reset();
    return;
  }
  if (failure_) return;
  if (max_delay_us_ > 0) {
    const auto delay = static_cast<int64_t>(random_() % (static_cast<uint64_t>(max_delay_us_) + 1));
    std::this_thread::sleep_for(std::chrono::microseconds(delay));
  }
  try {
    item.work();
  } catch (const Error& error) {
    failure_ = Failure{error.code(), std::string(error.what())};
  }
}

}  // namespace minfer::test
