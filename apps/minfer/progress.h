// A line on the terminal that says how far a long operation has come. It appears after a second and goes when the
// operation ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace minfer::app {

class Progress {
 public:
  // Shows nothing unless `enabled`.
  Progress(std::string label, bool enabled);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How much is done of `total`; from any thread.
  void update(size_t done, size_t total);

  // Takes the line away. Nothing is shown afterwards.
  void finish();

 private:
  void draw_until_finished();

  std::string label_;
  std::atomic<size_t> done_{0};
  std::atomic<size_t> total_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;  // under mutex_
  std::thread thread_;     // not started when disabled
};

}  // namespace minfer::app
