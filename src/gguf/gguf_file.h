// One GGUF file (or one part of a split set), checked: its metadata, and where its tensors lie.
//
// Layout, little endian: "GGUF", u32 version (2 or 3), i64 tensors, i64 keys | keys: string, u32 type, value |
// tensors: string name, u32 n_dims, i64 dims[n_dims] fastest first, u32 type, u64 offset | padding | data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "gguf/metadata.h"
#include "tensor/tensor_desc.h"

namespace minfer {

// Limits of what the reader accepts; real files stay far below them (docs/adr/0014-limits-on-metadata.md).
inline constexpr uint64_t kMaxGgufKeys = 1u << 16;
inline constexpr uint64_t kMaxGgufTensors = 1u << 17;
inline constexpr uint64_t kMaxGgufKeyBytes = 65535;
inline constexpr uint64_t kMaxGgufStringBytes = uint64_t{16} << 20;
inline constexpr uint64_t kMaxGgufArrayElements = uint64_t{1} << 30;
inline constexpr uint64_t kMaxGgufArrayStrings = uint64_t{1} << 22;    // elements of an array of strings
inline constexpr uint64_t kMaxGgufMetadataBytes = uint64_t{64} << 20;  // header and all pairs
inline constexpr uint64_t kMaxGgufTokenBytes = 64 * 1024;
inline constexpr uint64_t kMaxGgufDimension = uint64_t{1} << 40;
inline constexpr uint64_t kMaxGgufNameBytes = 63;
inline constexpr uint64_t kDefaultGgufAlignment = 32;
inline constexpr uint64_t kMinGgufAlignment = 8;
inline constexpr uint64_t kMaxGgufAlignment = 1u << 20;

struct GgufTensor {
  std::string_view name;            // points into the file
  TensorDesc desc;                  // slowest dimension first
  uint32_t part = 0;                // which file of the set
  uint64_t file_offset = 0;         // of the data, from the start of that file
  std::span<const std::byte> data;  // desc.size_bytes() bytes, at least 8-byte aligned in the file

  uint64_t size_bytes() const { return data.size(); }
};

// Movable. Everything it hands out points into the file's bytes and lives as long as this object (after parse(): as
// long as the caller's bytes).
class GgufFile {
 public:
  // Maps and checks a file; its data is not touched. Errors: those of MappedFile::open, and kBadFile "GGUF: …".
  static GgufFile open(const std::string& path);

  // The same on bytes in memory.
  static GgufFile parse(std::span<const std::byte> bytes);

  uint32_t version() const { return version_; }
  uint64_t alignment() const { return alignment_; }
  uint64_t data_offset() const { return data_offset_; }
  uint64_t size_bytes() const { return bytes_.size(); }
  const GgufMetadata& metadata() const { return metadata_; }
  std::span<const GgufTensor> tensors() const { return tensors_; }

  // nullptr after parse().
  const MappedFile* mapped_file() const { return file_ ? &*file_ : nullptr; }

 private:
  GgufFile() = default;

  std::optional<MappedFile> file_;
  std::span<const std::byte> bytes_;
  uint32_t version_ = 0;
  uint64_t alignment_ = kDefaultGgufAlignment;
  uint64_t data_offset_ = 0;
  GgufMetadata metadata_;
  std::vector<GgufTensor> tensors_;
};

}  // namespace minfer
