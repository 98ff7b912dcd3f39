// Header and key-value pairs of a GGUF file.
#include <bit>

#include "gguf/parse.h"

namespace minfer {
namespace {

// Smallest possible records: an empty key with a one-byte value, an unnamed tensor of one dimension.
constexpr uint64_t kMinKeyRecord = 8 + 4 + 1;
constexpr uint64_t kMinTensorRecord = 8 + 4 + 8 + 4 + 8;

void require_magic(GgufCursor& cursor) {
  if (cursor.left() == 0) bad_gguf(0, "the file is empty");
  const auto magic = cursor.take(4, "the magic");
  const std::string_view text(reinterpret_cast<const char*>(magic.data()), magic.size());
  if (text != "GGUF") bad_gguf(0, "invalid magic characters: '{}', expected 'GGUF'", printable(text));
}

void require_version(uint32_t version, uint64_t offset) {
  if (version == 0) bad_gguf(offset, "bad GGUF version: {}", version);
  if ((version & 0xFFFFu) == 0) {
    bad_gguf(offset, "the version reads as {:#010x}: endianness mismatch, the file is big endian; convert it first",
             version);
  }
  if (version == 1) {
    bad_gguf(offset, "GGUFv1 is no longer supported, please use a more up-to-date version");
  }
  if (version > 3) {
    bad_gguf(offset, "this GGUF file is version {} but this software only supports up to version 3", version);
  }
}

uint64_t read_count(GgufCursor& cursor, std::string_view what, uint64_t limit) {
  const uint64_t offset = cursor.offset();
  const auto count = cursor.number<uint64_t>(what);
  if (count > limit) bad_gguf(offset, "{} is {}, expected at most {}", what, count, limit);
  return count;
}

void require_room(GgufCursor& cursor, std::string_view what, uint64_t count, uint64_t record_bytes) {
  if (count > cursor.left() / record_bytes) {
    bad_gguf(cursor.offset(), "{} is {}, but only {} bytes follow; the file is truncated or damaged", what, count,
             cursor.left());
  }
}

GgufType read_type(GgufCursor& cursor, std::string_view what) {
  const uint64_t offset = cursor.offset();
  const auto tag = cursor.number<uint32_t>(what);
  if (tag >= kGgufTypeCount) bad_gguf(offset, "{} is {}, expected 0 to {}", what, tag, kGgufTypeCount - 1);
  return static_cast<GgufType>(tag);
}

// Called before the bytes passed over are looked at, since looking is what costs time and memory.
void require_within_limit(const GgufCursor& cursor) {
  if (cursor.offset() > kMaxGgufMetadataBytes) {
    bad_gguf(cursor.offset(), "the metadata is longer than {} bytes; the file is damaged", kMaxGgufMetadataBytes);
  }
}

// Of arrays of strings the lengths are followed; nothing is kept but the span of all of them.
void skip_strings(GgufCursor& cursor, uint64_t count, uint64_t max_bytes, const std::string& what) {
  for (uint64_t i = 0; i < count; ++i) {
    cursor.string(max_bytes, what);
    require_within_limit(cursor);
  }
}

void require_booleans(std::span<const std::byte> values, uint64_t offset, const std::string& what) {
  for (std::byte value : values) {
    if (value > std::byte{1}) {
      bad_gguf(offset, "{} holds a bool of value {}, expected 0 or 1", what, static_cast<int>(value));
    }
  }
}

GgufValue read_array(GgufCursor& cursor, std::string_view key, const std::string& what) {
  const uint64_t start = cursor.offset();
  GgufValue value;
  value.type = GgufType::kArray;
  value.element_type = read_type(cursor, "the element type of " + what);
  if (value.element_type == GgufType::kArray) bad_gguf(start, "{} is an array of arrays, which is not supported", what);
  const uint64_t width = gguf_type_bytes(value.element_type);
  const uint64_t max_count = width != 0 ? kMaxGgufArrayElements : kMaxGgufArrayStrings;
  value.count = read_count(cursor, "the length of array " + what, max_count);
  require_room(cursor, "the length of array " + what, value.count, width != 0 ? width : 8);
  if (width != 0) {
    value.payload = cursor.take(value.count * width, what);
    return value;
  }
  GgufCursor before = cursor;
  const uint64_t limit = key == "tokenizer.ggml.tokens" ? kMaxGgufTokenBytes : kMaxGgufStringBytes;
  skip_strings(cursor, value.count, limit, "a string of " + what);
  value.payload = before.take(cursor.offset() - before.offset(), what);
  return value;
}

GgufValue read_value(GgufCursor& cursor, std::string_view key) {
  const std::string what = fmt::format("key '{}'", printable(key));
  const GgufType type = read_type(cursor, "the type of " + what);
  const uint64_t start = cursor.offset();
  GgufValue value;
  value.type = type;
  if (type == GgufType::kArray) {
    value = read_array(cursor, key, what);
  } else if (type == GgufType::kString) {
    const std::string_view text = cursor.string(kMaxGgufStringBytes, what);
    value.payload = std::as_bytes(std::span(text));
  } else {
    value.payload = cursor.take(gguf_type_bytes(type), what);
  }
  require_within_limit(cursor);
  if ((value.is_array() ? value.element_type : type) == GgufType::kBool) require_booleans(value.payload, start, what);
  return value;
}

}  // namespace

GgufHeader parse_gguf_header(GgufCursor& cursor) {
  require_magic(cursor);
  GgufHeader header{};
  const uint64_t offset = cursor.offset();
  header.version = cursor.number<uint32_t>("the version");
  require_version(header.version, offset);
  header.n_tensors = read_count(cursor, "the number of tensors", kMaxGgufTensors);
  header.n_keys = read_count(cursor, "the number of keys", kMaxGgufKeys);
  require_room(cursor, "the number of keys", header.n_keys, kMinKeyRecord);
  require_room(cursor, "the number of tensors", header.n_tensors, kMinTensorRecord);
  return header;
}

GgufMetadata parse_gguf_metadata(GgufCursor& cursor, uint64_t n_keys) {
  GgufMetadata metadata;
  for (uint64_t i = 0; i < n_keys; ++i) {
    const uint64_t start = cursor.offset();
    const std::string_view key = cursor.string(kMaxGgufKeyBytes, fmt::format("the name of key {}", i));
    if (key.empty()) bad_gguf(start, "the name of key {} is empty", i);
    if (!metadata.add(key, read_value(cursor, key))) {
      bad_gguf(start, "duplicate key '{}' for tensors {} and {}", printable(key), metadata.index_of(key), i);
    }
  }
  return metadata;
}

uint64_t gguf_alignment(const GgufMetadata& metadata) {
  const uint64_t alignment = metadata.find_u64("general.alignment").value_or(kDefaultGgufAlignment);
  if (!std::has_single_bit(alignment)) {
    fail(ErrorCode::kBadFile, "GGUF: alignment {} is not a power of 2", alignment);
  }
  if (alignment < kMinGgufAlignment || alignment > kMaxGgufAlignment) {
    fail(ErrorCode::kBadFile, "GGUF: alignment {} is out of range: expected {} to {}", alignment, kMinGgufAlignment,
         kMaxGgufAlignment);
  }
  return alignment;
}

}  // namespace minfer
