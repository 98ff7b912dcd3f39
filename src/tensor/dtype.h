// The element types of tensors: GGUF's types by their ids in the file, and the few that exist only while the engine
// runs. The table is dtype_list.inc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace minfer {

enum class DType : uint16_t {
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) k##name = id,
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
};

// Types from this id on are internal: a block of quantized activations (kQ8A), …
inline constexpr uint16_t kFirstRuntimeDTypeId = 1000;

// One row of the table. A tensor row is a whole number of blocks; a plain type has one element per block.
struct DTypeInfo {
  std::string_view name;   // as other programs print it: "Q4_0"
  DType dtype;             //
  int32_t block_elements;  // elements in a block
  int32_t block_bytes;     // bytes of a block
  bool has_codec;          // values can be read as f32 (quant/codec.h)

  constexpr uint32_t id() const { return static_cast<uint32_t>(dtype); }
  constexpr bool is_file_type() const { return id() < kFirstRuntimeDTypeId; }
  constexpr bool is_quantized() const { return block_elements > 1; }
};

// All types, in order of their ids.
std::span<const DTypeInfo> all_dtypes();

// The row of a type. Error kInternal when `dtype` holds no enumerator's value.
const DTypeInfo& dtype_info(DType dtype);

inline std::string_view dtype_name(DType dtype) {
  return dtype_info(dtype).name;
}

// The type that GGUF writes as `id`; nothing for ids that are retired, unknown or internal.
std::optional<DType> dtype_from_gguf_id(uint32_t id);

// The type of that name in any case ("q4_0", "Q4_0"), internal types included.
std::optional<DType> dtype_from_name(std::string_view name);

}  // namespace minfer
