// Puts the checked sections of a file together.
#include "gguf/gguf_file.h"

#include <bit>

#include "base/error.h"
#include "gguf/parse.h"

namespace minfer {

static_assert(std::endian::native == std::endian::little, "the reader copies little-endian numbers as they are");

GgufFile GgufFile::parse(std::span<const std::byte> bytes) {
  GgufFile file;
  GgufCursor cursor(bytes);
  const GgufHeader header = parse_gguf_header(cursor);
  file.bytes_ = bytes;
  file.version_ = header.version;
  file.metadata_ = parse_gguf_metadata(cursor, header.n_keys);
  file.alignment_ = gguf_alignment(file.metadata_);
  GgufTensorIndex index = parse_gguf_tensors(cursor, header.n_tensors, file.alignment_, bytes);
  file.data_offset_ = index.data_offset;
  file.tensors_ = std::move(index.tensors);
  return file;
}

GgufFile GgufFile::open(const std::string& path) {
  MappedFile mapped = MappedFile::open(path);
  try {
    GgufFile file = parse(mapped.bytes());
    file.file_ = std::move(mapped);
    return file;
  } catch (const Error& error) {
    // Behind the message, since its beginning is part of the contract.
    throw Error(error.code(), fmt::format("{} in '{}'", error.what(), printable(path)));
  }
}

}  // namespace minfer
