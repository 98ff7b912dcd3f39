// Spells a GGUF file byte by byte, so that a test can get any field wrong. Independent of the project's writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace minfer::test {

class ByteBuilder {
 public:
  template <typename T>
  ByteBuilder& put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  ByteBuilder& u8(uint8_t value) { return put(value); }
  ByteBuilder& u32(uint32_t value) { return put(value); }
  ByteBuilder& u64(uint64_t value) { return put(value); }
  ByteBuilder& raw(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  ByteBuilder& str(std::string_view text) { return u64(text.size()).raw(text); }
  ByteBuilder& zeros(size_t n) {
    bytes_.append(n, '\0');
    return *this;
  }
  ByteBuilder& pad(size_t alignment = 32) { return zeros((alignment - bytes_.size() % alignment) % alignment); }

  ByteBuilder& header(uint64_t n_tensors, uint64_t n_keys, uint32_t version = 3) {
    return raw("GGUF").u32(version).u64(n_tensors).u64(n_keys);
  }
  // The beginning of a pair: name and type tag.
  ByteBuilder& key(std::string_view name, uint32_t type) { return str(name).u32(type); }
  // A whole record of the tensor index; dimensions in the file's order.
  ByteBuilder& tensor(std::string_view name, std::initializer_list<uint64_t> dims, uint32_t type, uint64_t offset) {
    str(name).u32(static_cast<uint32_t>(dims.size()));
    for (uint64_t dim : dims) u64(dim);
    return u32(type).u64(offset);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline std::span<const std::byte> as_span(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace minfer::test
