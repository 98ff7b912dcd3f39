#include "apps/minfer/interrupts.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "apps/minfer/exit_codes.h"
#include "base/error.h"

namespace minfer::app {
namespace {

// A signal handler reaches nothing but globals.
std::atomic<bool> cancelled{false};
std::atomic<int> signal_number{0};
std::atomic<bool> page_lost{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
  if (signal_number.exchange(number) != 0) _exit(kSignalBase + number);
  cancelled.store(true);
}

// The kernel's answer to reading a mapped page that its file no longer has. Several workers may meet it at once: the
// first one speaks and ends the process.
void on_lost_page(int) {
  while (page_lost.exchange(true)) pause();
  constexpr std::string_view kMessage = "Error: the model file was changed or cut while it was in use\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kFailure);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

bool output_can_close() {
  struct stat status {};
  return fstat(STDOUT_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

}  // namespace

void prepare_signals() {
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
  handle(SIGBUS, on_lost_page);
}

Interrupts::Interrupts() {
  cancelled = false;
  signal_number = 0;
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  if (!output_can_close()) return;
  stop_fd_ = eventfd(0, EFD_CLOEXEC);
  if (stop_fd_ >= 0) watcher_ = std::thread([this] { watch_output(); });
}

Interrupts::~Interrupts() {
  if (watcher_.joinable()) {
    eventfd_write(stop_fd_, 1);
    watcher_.join();
  }
  if (stop_fd_ >= 0) close(stop_fd_);
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* Interrupts::flag() const {
  return &cancelled;
}

int Interrupts::run(const std::function<int()>& work) const {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    check_output();
    return exit_code();
  }
}

void Interrupts::check_output() const {
  if (output_closed_) throw OutputClosed();
}

int Interrupts::exit_code() const {
  const int number = signal_number;
  return number == 0 ? 0 : kSignalBase + number;
}

// A pipe without readers reports POLLERR although no event was asked for.
void Interrupts::watch_output() {
  pollfd watched[] = {{STDOUT_FILENO, 0, 0}, {stop_fd_, POLLIN, 0}};
  while (true) {
    if (poll(watched, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (watched[1].revents != 0) return;
    if (watched[0].revents != 0) {
      output_closed_ = true;
      cancelled = true;
      return;
    }
  }
}

}  // namespace minfer::app
