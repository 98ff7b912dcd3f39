// The table of dtype.h, from its list file, with an index by id.
#include "tensor/dtype.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace minfer {
namespace {

enum class CodecKind { none, decode, both };

constexpr DTypeInfo kTable[] = {
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) \
  {#name, DType::k##name, block_elements, block_bytes, CodecKind::codec != CodecKind::none},
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
};

constexpr bool sorted_by_id() {
  for (size_t i = 1; i < std::size(kTable); ++i) {
    if (kTable[i - 1].id() >= kTable[i].id()) return false;
  }
  return true;
}
static_assert(sorted_by_id());

const DTypeInfo* find_by_id(uint32_t id) {
  const auto* found = std::lower_bound(std::begin(kTable), std::end(kTable), id,
                                       [](const DTypeInfo& info, uint32_t wanted) { return info.id() < wanted; });
  return found != std::end(kTable) && found->id() == id ? found : nullptr;
}

char to_upper_ascii(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

std::span<const DTypeInfo> all_dtypes() {
  return kTable;
}

const DTypeInfo& dtype_info(DType dtype) {
  const DTypeInfo* info = find_by_id(static_cast<uint32_t>(dtype));
  check(info != nullptr, "[dtype] no element type has id {}", static_cast<uint32_t>(dtype));
  return *info;
}

std::optional<DType> dtype_from_gguf_id(uint32_t id) {
  const DTypeInfo* info = find_by_id(id);
  if (info == nullptr || !info->is_file_type()) return std::nullopt;
  return info->dtype;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const DTypeInfo& info : kTable) {
    const bool same = std::equal(name.begin(), name.end(), info.name.begin(), info.name.end(),
                                 [](char a, char b) { return to_upper_ascii(a) == to_upper_ascii(b); });
    if (same) return info.dtype;
  }
  return std::nullopt;
}

}  // namespace minfer
