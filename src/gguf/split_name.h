// File names of split sets: "<prefix>-00001-of-00003.gguf".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace minfer {

struct SplitName {
  std::string prefix;  // with the folder, without "-NNNNN-of-NNNNN.gguf"
  uint32_t number;     // 1-based
  uint32_t count;
};

// The parts of a path that follows the pattern (exactly five digits each, 1 <= number <= count); nothing otherwise.
std::optional<SplitName> parse_split_name(std::string_view path);

// The path of part `number` (1-based) of `count`.
std::string split_path(std::string_view prefix, uint32_t number, uint32_t count);

}  // namespace minfer
