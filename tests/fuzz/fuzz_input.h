// What the fuzz targets share: inputs that are read as lines, so that seeds are text files, and checks that end the
// run.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"

namespace minfer::fuzz {

// A finding: says what did not hold and ends the process, which the fuzzer reports with the input.
inline void require(bool condition, std::string_view what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// Runs `call`; errors of these codes are what bad input may lead to, everything else is a finding.
template <typename Call>
void attempt(std::initializer_list<ErrorCode> allowed, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    for (const ErrorCode code : allowed) {
      if (error.code() == code) return;
    }
    require(false, std::string("an error of this kind: ") + error.what());
  }
}

// Cuts an input into lines from the front.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  // The next line without its end; "" at the end of the input.
  std::string_view next() {
    const size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }

 private:
  std::string_view rest_;
};

// The text up to the first `separator`, which is taken off `text` with it.
inline std::string_view cut(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return part;
}

inline std::string_view as_text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace minfer::fuzz
