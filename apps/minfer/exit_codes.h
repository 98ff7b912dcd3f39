// How the program ends, and the two exceptions that only the program knows.
#pragma once

#include <stdexcept>
#include <string>

namespace minfer::app {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;
inline constexpr int kSignalBase = 128;  // plus the number of the signal that ended a run: 130 for Ctrl-C

// The command line or a variable is wrong: exit code kUsage. `hint` is a line of help below the message, or "".
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string hint = "")
      : std::runtime_error(message), hint_(std::move(hint)) {}

  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// The reader of standard output went away: the program ends with kFailure and says nothing.
class OutputClosed : public std::runtime_error {
 public:
  OutputClosed() : std::runtime_error("standard output was closed") {}
};

}  // namespace minfer::app
