// Where the library's notices go. The library itself prints nothing: the program that uses it gives a sink.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace minfer {

enum class LogLevel { kDebug, kInfo, kWarning };

using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// Holds a sink; the default one drops everything. A sink must be safe to call from any thread of the engine. Messages
// are one line without a newline; text from files in them has passed through printable().
class Log {
 public:
  Log() = default;
  explicit Log(LogSink sink) : sink_(std::move(sink)) {}

  bool enabled() const { return static_cast<bool>(sink_); }

  void write(LogLevel level, std::string_view message) const {
    if (sink_) sink_(level, message);
  }

  template <typename... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) const {
    if (sink_) sink_(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) const {
    if (sink_) sink_(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) const {
    if (sink_) sink_(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  LogSink sink_;
};

}  // namespace minfer
