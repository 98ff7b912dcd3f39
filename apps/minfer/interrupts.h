// What ends a computation from outside: Ctrl-C, a request to terminate, and a reader of standard output that goes away.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace minfer::app {

// For the whole program: a closed pipe and a limit of file sizes show as failed writes, and a mapped file that was cut
// ends the process with a message and exit code 1.
void prepare_signals();

// While the object lives, the first SIGINT or SIGTERM sets the flag and a second one ends the process at once, with
// exit code 128 plus its number. If standard output is a pipe or socket, its closing sets the flag too. At most one
// object at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // To be read between steps of the work.
  const std::atomic<bool>* flag() const;

  // What `work` returns. When it throws kCancelled instead: the exit code of what ended it.
  int run(const std::function<int()>& work) const;

  // Throws OutputClosed if that is what happened.
  void check_output() const;

  // 128 plus the signal's number, or 0.
  int exit_code() const;

 private:
  void watch_output();

  std::atomic<bool> output_closed_{false};
  int stop_fd_ = -1;
  std::thread watcher_;
};

}  // namespace minfer::app
