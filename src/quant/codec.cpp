// The table of codecs, one entry for each row of dtype_list.inc that has one.
#include "quant/codec.h"

#include "base/error.h"

namespace minfer {

// Declarations of the functions that the rows name: both, decoding only, or neither.
#define MINFER_DECLARE_none(stem)
#define MINFER_DECLARE_decode(stem) void dequantize_row_##stem(const std::byte* src, float* dst, int64_t n);
#define MINFER_DECLARE_both(stem) \
  MINFER_DECLARE_decode(stem) void quantize_row_##stem(const float* src, std::byte* dst, int64_t n);
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) MINFER_DECLARE_##codec(stem)
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE

namespace {

struct Entry {
  DType dtype;
  Codec codec;
};

#define MINFER_FUNCTIONS_none(stem) \
  { nullptr, nullptr }
#define MINFER_FUNCTIONS_decode(stem) \
  { dequantize_row_##stem, nullptr }
#define MINFER_FUNCTIONS_both(stem) \
  { dequantize_row_##stem, quantize_row_##stem }
constexpr Entry kEntries[] = {
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) \
  {DType::k##name, MINFER_FUNCTIONS_##codec(stem)},
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
};

// Bytes that `n_elements` of the type take, checked against the caller's buffer.
void require_sizes(DType dtype, size_t n_elements, size_t n_bytes) {
  const DTypeInfo& info = dtype_info(dtype);
  const size_t n_blocks = n_elements / static_cast<size_t>(info.block_elements);
  const bool whole = n_blocks * static_cast<size_t>(info.block_elements) == n_elements;
  if (!whole || n_bytes % static_cast<size_t>(info.block_bytes) != 0 ||
      n_bytes / static_cast<size_t>(info.block_bytes) != n_blocks) {
    fail(ErrorCode::kInvalidArgument, "[codec] {} elements of {} do not take {} bytes: a block of {} takes {}",
         n_elements, info.name, n_bytes, info.block_elements, info.block_bytes);
  }
}

}  // namespace

const Codec* find_codec(DType dtype) {
  for (const Entry& entry : kEntries) {
    if (entry.dtype == dtype) return entry.codec.dequantize != nullptr ? &entry.codec : nullptr;
  }
  return nullptr;
}

void dequantize(DType dtype, std::span<const std::byte> src, std::span<float> dst) {
  const Codec* codec = find_codec(dtype);
  if (codec == nullptr) fail(ErrorCode::kUnsupported, "[codec] cannot read values of type {}", dtype_name(dtype));
  require_sizes(dtype, dst.size(), src.size());
  codec->dequantize(src.data(), dst.data(), static_cast<int64_t>(dst.size()));
}

void quantize(DType dtype, std::span<const float> src, std::span<std::byte> dst) {
  const Codec* codec = find_codec(dtype);
  if (codec == nullptr || codec->quantize == nullptr) {
    fail(ErrorCode::kUnsupported, "[codec] cannot write values of type {}", dtype_name(dtype));
  }
  require_sizes(dtype, src.size(), dst.size());
  codec->quantize(src.data(), dst.data(), static_cast<int64_t>(src.size()));
}

}  // namespace minfer
