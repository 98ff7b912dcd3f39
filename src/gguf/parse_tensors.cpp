// The tensor index of a GGUF file: every name, shape, type and offset is checked before a byte of data is addressed.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "gguf/parse.h"

namespace minfer {
namespace {

constexpr uint64_t kMaxBytes = std::numeric_limits<int64_t>::max();

// `value` rounded up to a multiple of the power of two; nothing when it leaves 63 bits. `value` itself fits them.
std::optional<uint64_t> pad(uint64_t value, uint64_t alignment) {
  const uint64_t padded = (value + alignment - 1) & ~(alignment - 1);
  if (padded > kMaxBytes) return std::nullopt;
  return padded;
}

std::string_view read_name(GgufCursor& cursor, uint64_t index) {
  const uint64_t start = cursor.offset();
  const std::string what = fmt::format("the name of tensor {}", index);
  const std::string_view name = cursor.string(kMaxGgufNameBytes, what);
  if (name.empty()) bad_gguf(start, "{} is empty", what);
  return name;
}

// GGUF stores the fastest dimension first; here the order becomes slowest first.
Shape read_shape(GgufCursor& cursor, const std::string& what) {
  const uint64_t start = cursor.offset();
  const auto n_dims = cursor.number<uint32_t>(what);
  if (n_dims < 1 || n_dims > Shape::kMaxRank) {
    bad_gguf(start, "{} has {} dimensions, expected 1 to {}", what, n_dims, Shape::kMaxRank);
  }
  std::array<int64_t, Shape::kMaxRank> dims{};
  uint64_t n_elements = 1;
  for (uint32_t i = 0; i < n_dims; ++i) {
    const auto dim = cursor.number<uint64_t>(what);
    if (dim < 1 || dim > kMaxGgufDimension) {
      bad_gguf(start, "{} has dimension {} of {}, expected 1 to {}", what, i, static_cast<int64_t>(dim),
               kMaxGgufDimension);
    }
    if (dim > kMaxBytes / n_elements) bad_gguf(start, "the number of elements of {} does not fit 64 bits", what);
    n_elements *= dim;
    dims[n_dims - 1 - i] = static_cast<int64_t>(dim);
  }
  return Shape(std::span<const int64_t>(dims.data(), n_dims));
}

DType read_dtype(GgufCursor& cursor, const std::string& what) {
  const uint64_t start = cursor.offset();
  const auto id = cursor.number<uint32_t>(what);
  const std::optional<DType> dtype = dtype_from_gguf_id(id);
  if (!dtype) bad_gguf(start, "{} has type {}, which does not exist or is retired", what, static_cast<int32_t>(id));
  return *dtype;
}

// Bytes of the tensor, which fit 63 bits.
uint64_t checked_size(const TensorDesc& desc, const std::string& what, uint64_t offset) {
  const DTypeInfo& info = dtype_info(desc.dtype);
  const int64_t row = desc.shape.row_elements();
  if (row % info.block_elements != 0) {
    bad_gguf(offset, "{} of type {} ({}) has {} elements per row, not a multiple of block size ({})", what, info.id(),
             info.name, row, info.block_elements);
  }
  const auto n_blocks = static_cast<uint64_t>(desc.shape.n_elements() / info.block_elements);
  const auto block_bytes = static_cast<uint64_t>(info.block_bytes);
  if (n_blocks > kMaxBytes / block_bytes) bad_gguf(offset, "the size of {} does not fit 64 bits", what);
  return n_blocks * block_bytes;
}

std::string tensor_label(std::string_view name) {
  return fmt::format("tensor '{}'", printable(name));
}

// A tensor as the index states it: its offset counts from the start of the data section.
struct Stated {
  std::string_view name;
  TensorDesc desc;
  uint64_t size_bytes;
  uint64_t offset;
};

Stated read_record(GgufCursor& cursor, uint64_t index, uint64_t expected_offset) {
  Stated stated{};
  const uint64_t start = cursor.offset();
  stated.name = read_name(cursor, index);
  const std::string what = tensor_label(stated.name);
  stated.desc.shape = read_shape(cursor, what);
  stated.desc.dtype = read_dtype(cursor, what);
  stated.size_bytes = checked_size(stated.desc, what, start);
  const uint64_t offset_position = cursor.offset();
  stated.offset = cursor.number<uint64_t>(what);
  if (stated.offset != expected_offset) {
    bad_gguf(offset_position, "{} has offset {}, expected {}", what, stated.offset, expected_offset);
  }
  return stated;
}

std::vector<Stated> read_records(GgufCursor& cursor, uint64_t n_tensors, uint64_t alignment) {
  std::vector<Stated> records;
  std::unordered_map<std::string_view, uint64_t> seen;
  uint64_t next_offset = 0;
  for (uint64_t i = 0; i < n_tensors; ++i) {
    const uint64_t start = cursor.offset();
    records.push_back(read_record(cursor, i, next_offset));
    const Stated& stated = records.back();
    const auto [other, is_new] = seen.emplace(stated.name, i);
    if (!is_new) {
      bad_gguf(start, "duplicate tensor name '{}' for tensors {} and {}", printable(stated.name), other->second, i);
    }
    const std::optional<uint64_t> padded = pad(stated.size_bytes, alignment);
    if (!padded || *padded > kMaxBytes - next_offset) {
      bad_gguf(start, "the sizes of all tensors up to '{}' do not fit 64 bits", printable(stated.name));
    }
    next_offset += *padded;
  }
  return records;
}

}  // namespace

GgufTensorIndex parse_gguf_tensors(GgufCursor& cursor, uint64_t n_tensors, uint64_t alignment,
                                   std::span<const std::byte> bytes) {
  const std::vector<Stated> records = read_records(cursor, n_tensors, alignment);
  // A file without tensors may end before the padding.
  const uint64_t data_offset = pad(cursor.offset(), alignment).value_or(kMaxBytes);
  const uint64_t data_bytes = bytes.size() - std::min<uint64_t>(data_offset, bytes.size());

  GgufTensorIndex index{.data_offset = data_offset, .tensors = {}};
  index.tensors.reserve(records.size());
  for (const Stated& stated : records) {
    if (stated.offset > data_bytes || stated.size_bytes > data_bytes - stated.offset) {
      bad_gguf(data_offset + std::min(stated.offset, data_bytes),
               "{} needs {} bytes of data at offset {}, but the file holds only {} bytes of data; it is truncated",
               tensor_label(stated.name), stated.size_bytes, stated.offset, data_bytes);
    }
    GgufTensor tensor{.name = stated.name, .desc = stated.desc, .part = 0, .file_offset = 0, .data = {}};
    tensor.file_offset = data_offset + stated.offset;
    tensor.data = bytes.subspan(tensor.file_offset, stated.size_bytes);
    index.tensors.push_back(tensor);
  }
  return index;
}

}  // namespace minfer
