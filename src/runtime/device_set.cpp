#include "runtime/device_set.h"

#include <algorithm>

#include "base/error.h"

namespace minfer {

DeviceSet DeviceSet::open(const Registry& registry, const BackendFilter& filter, const DeviceContext& context) {
  DeviceSet set;
  const auto keep_out = [&](const BackendEntry& entry, Reason reason, std::string detail) {
    set.asked_.push_back(
        {entry.backend, entry.backend.name(), entry.priority, kNone, Support{reason, std::move(detail)}});
  };
  for (const BackendEntry& entry : registry.by_identity()) {
    if (!filter.allows(entry.backend)) {
      keep_out(entry, Reason::kFence, "the requested backends do not name it");
    } else if (std::optional<std::string> why = entry.unavailable()) {
      keep_out(entry, Reason::kNotAvailable, std::move(*why));
    } else {
      set.add_open(entry, context);
    }
  }
  check(!set.devices_.empty() && set.devices_[kCpuDevice]->backend() == kBackendCpu,
        "[devices] the registry offers no CPU: expected it as the first device");
  // Stable: equal priorities keep identity order, then ordinal order.
  std::stable_sort(set.asked_.begin(), set.asked_.end(),
                   [](const AskedDevice& a, const AskedDevice& b) { return a.priority > b.priority; });
  return set;
}

void DeviceSet::add_open(const BackendEntry& entry, const DeviceContext& context) {
  std::vector<std::unique_ptr<Device>> opened = entry.open_devices(context);
  if (opened.empty()) {
    asked_.push_back({entry.backend, entry.backend.name(), entry.priority, kNone,
                      Support{Reason::kNotAvailable, "it opened no device"}});
  }
  for (std::unique_ptr<Device>& device : opened) {
    asked_.push_back({entry.backend, device->name(), entry.priority, static_cast<DeviceId>(devices_.size()), {}});
    devices_.push_back(std::move(device));
  }
}

Device& DeviceSet::device(DeviceId id) const {
  check(id >= 0 && id < size(), "[devices] no device has the index {}", id);
  return *devices_[static_cast<size_t>(id)];
}

}  // namespace minfer
