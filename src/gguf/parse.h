// The three sections in front of a GGUF file's data, each read and checked by one function. Internal to the layer.
#pragma once

#include <cstdint>
#include <vector>

#include "gguf/cursor.h"
#include "gguf/gguf_file.h"
#include "gguf/metadata.h"

namespace minfer {

struct GgufHeader {
  uint32_t version;
  uint64_t n_tensors;
  uint64_t n_keys;
};

// All errors: kBadFile, see bad_gguf().
GgufHeader parse_gguf_header(GgufCursor& cursor);

GgufMetadata parse_gguf_metadata(GgufCursor& cursor, uint64_t n_keys);

// `general.alignment`, checked, or the default.
uint64_t gguf_alignment(const GgufMetadata& metadata);

struct GgufTensorIndex {
  uint64_t data_offset;  // where the data section starts
  std::vector<GgufTensor> tensors;
};

// `bytes` is the whole file, which every tensor must lie in.
GgufTensorIndex parse_gguf_tensors(GgufCursor& cursor, uint64_t n_tensors, uint64_t alignment,
                                   std::span<const std::byte> bytes);

}  // namespace minfer
