#include "apps/minfer/text_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace minfer::app {
namespace {

constexpr size_t kMostBytes = size_t{1} << 30;
constexpr std::string_view kBlanks = " \t\r\n";

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : name_(path == "-" ? "standard input" : fmt::format("'{}'", printable(path, 500))) {
    if (path == "-") return;
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0 && (errno == ENOENT || errno == ENOTDIR))
      fail(ErrorCode::kNotFound, "file not found: {}", printable(path, 500));
    if (fd_ < 0) fail(ErrorCode::kIo, "cannot open {}: {}", name_, std::strerror(errno));
  }
  ~Descriptor() {
    if (fd_ > 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  std::string read_all() const {
    std::string text;
    char buffer[1 << 16];
    while (true) {
      const ssize_t n = read(fd_, buffer, sizeof(buffer));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EISDIR) fail(ErrorCode::kInvalidArgument, "{} is a directory, not a text file", name_);
      if (n < 0) fail(ErrorCode::kIo, "cannot read {}: {}", name_, std::strerror(errno));
      if (n == 0) return text;
      text.append(buffer, static_cast<size_t>(n));
      if (text.size() > kMostBytes) fail(ErrorCode::kOutOfMemory, "{} holds more than {} bytes", name_, kMostBytes);
    }
  }

 private:
  std::string name_;
  int fd_ = STDIN_FILENO;
};

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

bool input_is_terminal() {
  return isatty(STDIN_FILENO) == 1;
}

std::string read_text_file(const std::string& path) {
  return Descriptor(path).read_all();
}

std::string without_last_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

void note_missing_bytes(const Tokenizer& tokenizer, std::string_view text, const Log& log) {
  std::string missing;
  for (const uint8_t byte : tokenizer.missing_bytes()) missing += static_cast<char>(byte);
  const size_t first = text.find_first_of(missing);
  if (first == std::string_view::npos) return;
  const auto n = std::ranges::count_if(text, [&](char c) { return missing.find(c) != std::string::npos; });
  log.warn("{} byte{} of the text {} no token in this vocabulary and {} left out (first: 0x{:02X} at byte {})", n,
           n == 1 ? "" : "s", n == 1 ? "has" : "have", n == 1 ? "was" : "were", static_cast<uint8_t>(text[first]),
           first);
}

std::vector<TokenId> parse_token_ids(std::string_view text, std::string_view where) {
  std::string_view rest = trimmed(text);
  if (rest.starts_with('[') && rest.ends_with(']')) rest = trimmed(rest.substr(1, rest.size() - 2));
  std::vector<TokenId> ids;
  while (!rest.empty()) {
    TokenId id = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    std::string_view behind = rest.substr(static_cast<size_t>(end - rest.data()));
    const bool ends_well = behind.empty() || behind[0] == ',' || kBlanks.find(behind[0]) != std::string_view::npos;
    if (error != std::errc() || id < 0 || !ends_well) {
      fail(ErrorCode::kInvalidArgument, "{}: entry {} is no token id: '{}'", where, ids.size() + 1,
           printable(rest.substr(0, rest.find_first_of(", \t\r\n")), 40));
    }
    ids.push_back(id);
    behind = trimmed(behind);
    if (behind.starts_with(',')) {
      behind = trimmed(behind.substr(1));
      if (behind.empty()) fail(ErrorCode::kInvalidArgument, "{}: there is no id behind the last comma", where);
    }
    rest = behind;
  }
  return ids;
}

}  // namespace minfer::app
