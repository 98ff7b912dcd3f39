// Recognizes and makes the names of split sets.
#include "gguf/split_name.h"

#include <fmt/format.h>

#include <charconv>

namespace minfer {
namespace {

constexpr std::string_view kShape = "-00001-of-00001.gguf";

std::optional<uint32_t> five_digits(std::string_view text) {
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
  }
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<SplitName> parse_split_name(std::string_view path) {
  if (path.size() <= kShape.size()) return std::nullopt;
  const std::string_view tail = path.substr(path.size() - kShape.size());
  if (tail[0] != '-' || tail.substr(6, 4) != "-of-" || tail.substr(15) != ".gguf") return std::nullopt;
  const auto number = five_digits(tail.substr(1, 5));
  const auto count = five_digits(tail.substr(10, 5));
  if (!number || !count || *number < 1 || *number > *count) return std::nullopt;
  return SplitName{std::string(path.substr(0, path.size() - kShape.size())), *number, *count};
}

std::string split_path(std::string_view prefix, uint32_t number, uint32_t count) {
  return fmt::format("{}-{:05}-of-{:05}.gguf", prefix, number, count);
}

}  // namespace minfer
