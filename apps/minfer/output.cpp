#include "apps/minfer/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "apps/minfer/exit_codes.h"
#include "base/error.h"

namespace minfer::app {

void hold_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that its use still fails.
    const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != fd && opened >= 0) close(opened);
  }
}

void write_output(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EPIPE) {
      throw OutputClosed();
    } else if (errno != EINTR) {
      fail(ErrorCode::kIo, "cannot write to standard output: {}", std::strerror(errno));
    }
  }
}

void write_message(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t n = write(STDERR_FILENO, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) rest.remove_prefix(static_cast<size_t>(n));
  }
}

bool output_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

bool messages_are_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

Log message_log(bool quiet, bool verbose) {
  if (quiet) return Log();
  return Log([verbose](LogLevel level, std::string_view message) {
    if (level == LogLevel::kWarning) {
      write_message(fmt::format("notice: {}", message));
    } else if (verbose) {
      write_message(message);
    }
  });
}

}  // namespace minfer::app
