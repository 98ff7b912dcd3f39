#include "apps/minfer/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "apps/minfer/exit_codes.h"
#include "base/error.h"
#include "text/tokenizer/utf8.h"

namespace minfer::app {

namespace {

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first == '\n' || first == '\t') return false;
  const bool is_c1 = character.size() == 2 && first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || is_c1;
}

// `text` with \xNN for everything that a terminal could take for a command.
std::string for_terminal(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Step step = utf8_step(text);
    const std::string_view part = text.substr(0, step.length);
    text.remove_prefix(step.length);
    if (step.kind == Utf8Kind::kCharacter && !is_control(part)) {
      out += part;
    } else {
      for (const char byte : part) out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return out;
}

void write_bytes(std::string_view bytes) {
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

// What cannot be written is lost: there is nobody to tell.
void write_error_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDERR_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace

void hold_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that its use still fails.
    const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != fd && opened >= 0) close(opened);
  }
}

void write_output(std::string_view bytes) {
  if (output_is_terminal()) {
    write_bytes(for_terminal(bytes));
  } else {
    write_bytes(bytes);
  }
}

void write_message(std::string_view line) {
  std::string text(line);
  text += '\n';
  write_error_bytes(text);
}

void write_out_of_memory() {
  write_error_bytes("Error: out of memory: the system refused an allocation; try a smaller --ctx-size or model\n");
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
