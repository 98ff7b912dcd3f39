// Writes GGUF version 3 files: for tools that convert or split models, and for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "gguf/metadata.h"
#include "tensor/tensor_desc.h"

namespace minfer {

// Collects keys and tensors in order, then writes them. A misuse (duplicate or empty name, a name too long, a type that
// cannot stand in a file, a payload of the wrong length) fails with kInvalidArgument "GGUF writer: …".
class GgufWriter {
 public:
  // `alignment`: a power of two from 8 to 1 MiB; written as general.alignment unless it is the default.
  explicit GgufWriter(uint64_t alignment = 32);

  void add_u8(std::string_view key, uint8_t value);
  void add_i8(std::string_view key, int8_t value);
  void add_u16(std::string_view key, uint16_t value);
  void add_i16(std::string_view key, int16_t value);
  void add_u32(std::string_view key, uint32_t value);
  void add_i32(std::string_view key, int32_t value);
  void add_u64(std::string_view key, uint64_t value);
  void add_i64(std::string_view key, int64_t value);
  void add_f32(std::string_view key, float value);
  void add_f64(std::string_view key, double value);
  void add_bool(std::string_view key, bool value);
  void add_string(std::string_view key, std::string_view value);

  void add_u32_array(std::string_view key, std::span<const uint32_t> values);
  void add_i32_array(std::string_view key, std::span<const int32_t> values);
  void add_f32_array(std::string_view key, std::span<const float> values);
  void add_string_array(std::string_view key, std::span<const std::string> values);

  // A pair as another file has it, of any type.
  void add_value(std::string_view key, const GgufValue& value);

  // A tensor; `data` (desc.size_bytes() bytes) must live until the file is written. Trailing dimensions of 1 in the
  // file's order (the slowest ones) are dropped.
  void add_tensor(std::string_view name, const TensorDesc& desc, std::span<const std::byte> data);

  // The same with data that is made when its turn comes, so that a large file needs memory for one tensor.
  void add_tensor(std::string_view name, const TensorDesc& desc, std::function<std::vector<std::byte>()> produce);

  // The whole file in memory.
  std::vector<std::byte> to_bytes() const;

  // To "<path>.part", then renamed. Errors: kIo; the partial file is removed.
  void write_file(const std::string& path) const;

 private:
  struct Tensor {
    std::string name;
    TensorDesc desc;
    uint64_t size_bytes;
    std::span<const std::byte> data;
    std::function<std::vector<std::byte>()> produce;  // empty: `data` holds the bytes
  };
  using Sink = std::function<void(std::span<const std::byte>)>;

  void begin_pair(std::string_view key, GgufType type);
  template <typename T>
  void add_number(std::string_view key, GgufType type, T value);
  template <typename T>
  void add_number_array(std::string_view key, GgufType type, std::span<const T> values);
  void add_checked_tensor(Tensor tensor);
  std::vector<std::byte> front() const;  // everything before the data, padded
  void write(const Sink& sink) const;

  uint64_t alignment_;
  uint64_t n_keys_ = 0;
  std::vector<std::byte> pairs_;  // as they stand in the file
  std::unordered_set<std::string> keys_;
  std::vector<Tensor> tensors_;
  std::unordered_set<std::string> names_;
};

}  // namespace minfer
