// Serializes what GgufWriter collected.
#include "gguf/writer.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "gguf/gguf_file.h"

namespace minfer {
namespace {

using Bytes = std::vector<std::byte>;

template <typename... Args>
[[noreturn]] void misuse(fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorCode::kInvalidArgument, "GGUF writer: {}", fmt::format(format, std::forward<Args>(args)...));
}

void append_bytes(Bytes& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

template <typename T>
void append_number(Bytes& out, T value) {
  append_bytes(out, std::as_bytes(std::span<const T, 1>(&value, 1)));
}

void append_string(Bytes& out, std::string_view text) {
  append_number(out, uint64_t{text.size()});
  append_bytes(out, std::as_bytes(std::span(text)));
}

size_t padding(size_t size, uint64_t alignment) {
  return (alignment - size % alignment) % alignment;
}

void append_shape(Bytes& out, const Shape& shape) {
  int rank = std::max(1, shape.rank());
  int first = 0;
  while (rank > 1 && shape[first] == 1) {
    ++first;
    --rank;
  }
  append_number(out, static_cast<uint32_t>(rank));
  if (shape.rank() == 0) append_number(out, int64_t{1});
  for (int i = shape.rank() - 1; i >= first; --i) append_number(out, shape[i]);
}

class FileSink {
 public:
  explicit FileSink(const std::string& path) : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
    require_good();
  }

  void write(std::span<const std::byte> bytes) {
    out_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    require_good();
  }

  void close() {
    out_.close();
    require_good();
  }

 private:
  void require_good() {
    if (out_) return;
    const int code = errno;
    fail(ErrorCode::kIo, "[gguf] cannot write '{}': {}", printable(path_), std::generic_category().message(code));
  }

  std::string path_;
  std::ofstream out_;
};

}  // namespace

GgufWriter::GgufWriter(uint64_t alignment) : alignment_(alignment) {
  if (!std::has_single_bit(alignment) || alignment < kMinGgufAlignment || alignment > kMaxGgufAlignment) {
    misuse("alignment {}: expected a power of two from {} to {}", alignment, kMinGgufAlignment, kMaxGgufAlignment);
  }
  if (alignment != kDefaultGgufAlignment) add_u32("general.alignment", static_cast<uint32_t>(alignment));
}

void GgufWriter::begin_pair(std::string_view key, GgufType type) {
  if (key.empty() || key.size() > kMaxGgufKeyBytes) misuse("a key of {} bytes", key.size());
  if (!keys_.emplace(key).second) misuse("key '{}' stands there already", printable(key));
  ++n_keys_;
  append_string(pairs_, key);
  append_number(pairs_, static_cast<uint32_t>(type));
}

template <typename T>
void GgufWriter::add_number(std::string_view key, GgufType type, T value) {
  begin_pair(key, type);
  append_number(pairs_, value);
}

template <typename T>
void GgufWriter::add_number_array(std::string_view key, GgufType type, std::span<const T> values) {
  begin_pair(key, GgufType::kArray);
  append_number(pairs_, static_cast<uint32_t>(type));
  append_number(pairs_, uint64_t{values.size()});
  append_bytes(pairs_, std::as_bytes(values));
}

void GgufWriter::add_u8(std::string_view key, uint8_t value) {
  add_number(key, GgufType::kU8, value);
}
void GgufWriter::add_i8(std::string_view key, int8_t value) {
  add_number(key, GgufType::kI8, value);
}
void GgufWriter::add_u16(std::string_view key, uint16_t value) {
  add_number(key, GgufType::kU16, value);
}
void GgufWriter::add_i16(std::string_view key, int16_t value) {
  add_number(key, GgufType::kI16, value);
}
void GgufWriter::add_u32(std::string_view key, uint32_t value) {
  add_number(key, GgufType::kU32, value);
}
void GgufWriter::add_i32(std::string_view key, int32_t value) {
  add_number(key, GgufType::kI32, value);
}
void GgufWriter::add_u64(std::string_view key, uint64_t value) {
  add_number(key, GgufType::kU64, value);
}
void GgufWriter::add_i64(std::string_view key, int64_t value) {
  add_number(key, GgufType::kI64, value);
}
void GgufWriter::add_f32(std::string_view key, float value) {
  add_number(key, GgufType::kF32, value);
}
void GgufWriter::add_f64(std::string_view key, double value) {
  add_number(key, GgufType::kF64, value);
}
void GgufWriter::add_bool(std::string_view key, bool value) {
  add_number(key, GgufType::kBool, uint8_t{value});
}

void GgufWriter::add_string(std::string_view key, std::string_view value) {
  begin_pair(key, GgufType::kString);
  append_string(pairs_, value);
}

void GgufWriter::add_u32_array(std::string_view key, std::span<const uint32_t> values) {
  add_number_array(key, GgufType::kU32, values);
}

void GgufWriter::add_i32_array(std::string_view key, std::span<const int32_t> values) {
  add_number_array(key, GgufType::kI32, values);
}

void GgufWriter::add_f32_array(std::string_view key, std::span<const float> values) {
  add_number_array(key, GgufType::kF32, values);
}

void GgufWriter::add_string_array(std::string_view key, std::span<const std::string> values) {
  begin_pair(key, GgufType::kArray);
  append_number(pairs_, static_cast<uint32_t>(GgufType::kString));
  append_number(pairs_, uint64_t{values.size()});
  for (const std::string& value : values) append_string(pairs_, value);
}

void GgufWriter::add_value(std::string_view key, const GgufValue& value) {
  begin_pair(key, value.type);
  if (value.is_array()) {
    append_number(pairs_, static_cast<uint32_t>(value.element_type));
    append_number(pairs_, value.count);
  } else if (value.type == GgufType::kString) {
    append_number(pairs_, uint64_t{value.payload.size()});
  }
  append_bytes(pairs_, value.payload);
}

void GgufWriter::add_tensor(std::string_view name, const TensorDesc& desc, std::span<const std::byte> data) {
  add_checked_tensor({std::string(name), desc, 0, data, nullptr});
}

void GgufWriter::add_tensor(std::string_view name, const TensorDesc& desc,
                            std::function<std::vector<std::byte>()> produce) {
  add_checked_tensor({std::string(name), desc, 0, {}, std::move(produce)});
}

void GgufWriter::add_checked_tensor(Tensor tensor) {
  const std::string shown = printable(tensor.name);
  if (tensor.name.empty() || tensor.name.size() > kMaxGgufNameBytes) {
    misuse("tensor name '{}' has {} bytes, expected 1 to {}", shown, tensor.name.size(), kMaxGgufNameBytes);
  }
  if (!dtype_info(tensor.desc.dtype).is_file_type()) {
    misuse("tensor '{}' has the internal type {}", shown, dtype_name(tensor.desc.dtype));
  }
  if (tensor.desc.shape.n_elements() == 0) misuse("tensor '{}' has no elements", shown);
  tensor.size_bytes = static_cast<uint64_t>(tensor.desc.size_bytes());
  if (!tensor.produce && tensor.data.size() != tensor.size_bytes) {
    misuse("tensor '{}' needs {} bytes, got {}", shown, tensor.size_bytes, tensor.data.size());
  }
  if (!names_.insert(tensor.name).second) misuse("tensor '{}' stands there already", shown);
  tensors_.push_back(std::move(tensor));
}

Bytes GgufWriter::front() const {
  Bytes out;
  append_bytes(out, std::as_bytes(std::span("GGUF", 4)));
  append_number(out, uint32_t{3});
  append_number(out, uint64_t{tensors_.size()});
  append_number(out, n_keys_);
  append_bytes(out, pairs_);
  uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    append_string(out, tensor.name);
    append_shape(out, tensor.desc.shape);
    append_number(out, dtype_info(tensor.desc.dtype).id());
    append_number(out, offset);
    offset += tensor.size_bytes + padding(tensor.size_bytes, alignment_);
  }
  out.resize(out.size() + padding(out.size(), alignment_));
  return out;
}

void GgufWriter::write(const Sink& sink) const {
  sink(front());
  for (const Tensor& tensor : tensors_) {
    const Bytes produced = tensor.produce ? tensor.produce() : Bytes();
    const std::span<const std::byte> data = tensor.produce ? std::span<const std::byte>(produced) : tensor.data;
    if (data.size() != tensor.size_bytes) {
      misuse("tensor '{}' needs {} bytes, got {}", printable(tensor.name), tensor.size_bytes, data.size());
    }
    sink(data);
    sink(Bytes(padding(data.size(), alignment_)));
  }
}

Bytes GgufWriter::to_bytes() const {
  Bytes out;
  write([&out](std::span<const std::byte> bytes) { append_bytes(out, bytes); });
  return out;
}

void GgufWriter::write_file(const std::string& path) const {
  const std::string partial = path + ".part";
  std::error_code ignored;
  try {
    FileSink sink(partial);
    write([&sink](std::span<const std::byte> bytes) { sink.write(bytes); });
    sink.close();
  } catch (...) {
    std::filesystem::remove(partial, ignored);
    throw;
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (!error) return;
  std::filesystem::remove(partial, ignored);
  fail(ErrorCode::kIo, "[gguf] cannot rename '{}' to '{}': {}", printable(partial), printable(path), error.message());
}

}  // namespace minfer
