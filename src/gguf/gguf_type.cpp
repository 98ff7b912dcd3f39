// Names and sizes of metadata types, in the order of their tags.
#include "gguf/gguf_type.h"

#include "base/error.h"

namespace minfer {
namespace {

struct Row {
  std::string_view name;
  uint64_t bytes;
};

constexpr Row kRows[kGgufTypeCount] = {{"u8", 1},  {"i8", 1},  {"u16", 2},  {"i16", 2},    {"u32", 4},
                                       {"i32", 4}, {"f32", 4}, {"bool", 1}, {"string", 0}, {"array", 0},
                                       {"u64", 8}, {"i64", 8}, {"f64", 8}};

const Row& row(GgufType type) {
  const auto index = static_cast<uint32_t>(type);
  check(index < kGgufTypeCount, "[gguf] no metadata type {}", index);
  return kRows[index];
}

}  // namespace

std::string_view gguf_type_name(GgufType type) {
  return row(type).name;
}

uint64_t gguf_type_bytes(GgufType type) {
  return row(type).bytes;
}

}  // namespace minfer
