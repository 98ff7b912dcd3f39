// The one exception type of the project. Text: "[where] what is wrong: expected X, got Y; try Z".
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace minfer {

enum class ErrorCode {
  kInvalidArgument,  // a bad option, prompt or request: the caller's mistake
  kNotFound,         // no such file, model, tensor
  kBadFile,          // a file that is damaged or not what it claims to be
  kUnsupported,      // well-formed, but this build cannot run it
  kOutOfMemory,      // a cap or the system refused an allocation
  kIo,               // reading or writing failed
  kDevice,           // a device failed or broke its contract
  kCancelled,        // the caller asked to stop
  kInternal,         // a broken invariant of ours
};

// Name of a code as it stands in JSON output: "invalid_argument", "not_found", …
std::string_view error_code_name(ErrorCode code);

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ErrorCode code() const { return code_; }

  // A copy of this error whose message starts with "context: "; used while the error travels up.
  Error with_context(std::string_view context) const;

 private:
  ErrorCode code_;
};

// Throws an Error with a formatted message: fail(ErrorCode::kBadFile, "[gguf] version {}", v).
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

// Like fail(kInternal, …), when a condition that our own code guarantees does not hold. Active in release builds.
template <typename... Args>
void check(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) fail(ErrorCode::kInternal, format, std::forward<Args>(args)...);
}

// `text` with control characters (and DEL, C1 controls, the controls of text direction, invalid UTF-8) replaced by \xNN
// per byte, so that text from a file can stand in a message or on a terminal. Cut to `max_bytes` with "…" behind it.
std::string printable(std::string_view text, size_t max_bytes = 200);

}  // namespace minfer
