// The key-value pairs of a GGUF file as typed views into the file's bytes: nothing is copied until it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "gguf/gguf_type.h"

namespace minfer {

using GgufScalar = std::variant<bool, uint64_t, int64_t, float, double, std::string_view>;

// One value. Its bytes were checked by the reader and live as long as the file.
struct GgufValue {
  GgufType type = GgufType::kU8;
  GgufType element_type = GgufType::kU8;  // of an array
  uint64_t count = 1;                     // elements of an array
  std::span<const std::byte> payload;     // little endian; of a string, its text; of an array, its elements

  bool is_array() const { return type == GgufType::kArray; }

  // "u32", "array of string"
  std::string type_name() const;

  // The value, or the array's elements [first, first + n). Integers are widened. Finding an element of a string array
  // takes time proportional to its index.
  std::vector<GgufScalar> elements(uint64_t first, uint64_t n) const;
  GgufScalar scalar() const { return elements(0, 1).front(); }
};

// Metadata of one file, in the file's order. Getters fail with kBadFile "GGUF: key '…' …" that names the key, the
// expected and the found type. `get_x(key)` requires the key; `find_x(key)` gives nothing when it is absent.
class GgufMetadata {
 public:
  struct Entry {
    std::string_view key;
    GgufValue value;
  };

  std::span<const Entry> entries() const { return entries_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  const GgufValue* find(std::string_view key) const;

  // Integers of any width, and booleans as 0 or 1.
  std::optional<uint64_t> find_u64(std::string_view key) const;  // refuses a negative value
  std::optional<int64_t> find_i64(std::string_view key) const;   // refuses a value beyond int64
  std::optional<bool> find_bool(std::string_view key) const;     // a boolean only
  // f32 and f64; the former narrows.
  std::optional<float> find_f32(std::string_view key) const;
  std::optional<double> find_f64(std::string_view key) const;
  std::optional<std::string_view> find_string(std::string_view key) const;

  uint64_t get_u64(std::string_view key) const;
  int64_t get_i64(std::string_view key) const;
  bool get_bool(std::string_view key) const;
  float get_f32(std::string_view key) const;
  double get_f64(std::string_view key) const;
  std::string_view get_string(std::string_view key) const;

  // Arrays, whole. The views of a string array point into the file. Integer arrays accept any integer element type
  // whose values fit, float arrays f32 and f64.
  std::vector<std::string_view> get_string_array(std::string_view key) const;
  std::vector<int64_t> get_i64_array(std::string_view key) const;
  std::vector<float> get_f32_array(std::string_view key) const;
  // Elements of the array under `key`; nothing when it is absent.
  std::optional<uint64_t> find_array_size(std::string_view key) const;

  // Adds a pair; false when the key is there already. For the reader.
  bool add(std::string_view key, const GgufValue& value);
  // Position of a key in entries(). Error kInternal when it is absent.
  size_t index_of(std::string_view key) const;

 private:
  const GgufValue& require_array(std::string_view key, std::string_view expected) const;

  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, size_t> index_;
};

}  // namespace minfer
