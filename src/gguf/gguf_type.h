// The thirteen value types of GGUF metadata.
#pragma once

#include <cstdint>
#include <string_view>

namespace minfer {

enum class GgufType : uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};
inline constexpr uint32_t kGgufTypeCount = 13;

// "u8", "string", "array", …
std::string_view gguf_type_name(GgufType type);

// Bytes of a value; 0 for strings and arrays, whose size varies.
uint64_t gguf_type_bytes(GgufType type);

inline bool is_unsigned(GgufType type) {
  return type == GgufType::kU8 || type == GgufType::kU16 || type == GgufType::kU32 || type == GgufType::kU64 ||
         type == GgufType::kBool;
}

inline bool is_signed(GgufType type) {
  return type == GgufType::kI8 || type == GgufType::kI16 || type == GgufType::kI32 || type == GgufType::kI64;
}

inline bool is_float(GgufType type) {
  return type == GgufType::kF32 || type == GgufType::kF64;
}

}  // namespace minfer
