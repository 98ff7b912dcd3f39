#include "apps/minfer/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace minfer::app {
namespace {

void draw(const std::string& text) {
  const std::string line = "\r\x1b[K" + text;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

Progress::Progress(std::string label, bool enabled) : label_(std::move(label)) {
  if (enabled) thread_ = std::thread([this] { draw_until_finished(); });
}

void Progress::update(size_t done, size_t total) {
  done_ = done;
  total_ = total;
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::draw_until_finished() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::seconds(1), [this] { return finished_; })) return;
  do {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const size_t total = total_;
    draw(total == 0 ? fmt::format("{} … {:.0f} s", label_, seconds)
                    : fmt::format("{} {} of {} … {:.0f} s", label_, done_.load(), total, seconds));
  } while (!changed_.wait_for(lock, std::chrono::milliseconds(500), [this] { return finished_; }));
  draw("");
}

}  // namespace minfer::app
