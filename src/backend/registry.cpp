#include "backend/registry.h"

#include <algorithm>

#include "base/error.h"

namespace minfer {

void Registry::add(BackendEntry entry) {
  check(find(entry.backend) == nullptr, "[registry] backend '{}' is registered twice", entry.backend.name());
  const auto at = std::upper_bound(entries_.begin(), entries_.end(), entry,
                                   [](const BackendEntry& a, const BackendEntry& b) { return a.backend < b.backend; });
  entries_.insert(at, std::move(entry));
}

const BackendEntry* Registry::find(Backend backend) const {
  for (const BackendEntry& entry : entries_) {
    if (entry.backend == backend) return &entry;
  }
  return nullptr;
}

std::vector<const BackendEntry*> Registry::by_priority() const {
  std::vector<const BackendEntry*> order;
  for (const BackendEntry& entry : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const BackendEntry* a, const BackendEntry* b) {
    return a->priority != b->priority ? a->priority > b->priority : a->backend < b->backend;
  });
  return order;
}

bool Registry::supports_kv_format(Backend backend, DType dtype) const {
  const BackendEntry* entry = find(backend);
  return entry != nullptr && (!dtype_info(dtype).is_quantized() || entry->reads_packed_kv);
}

}  // namespace minfer
