// The devices that one engine has opened, and the backends that it had to leave out, with the reason.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.h"
#include "backend/filter.h"
#include "backend/registry.h"

namespace minfer {

// What assignment asks about a node: an open device, or a backend that is kept out as a whole.
struct AskedDevice {
  Backend backend{0};
  std::string name;       // the device's; the backend's when it is kept out
  uint16_t priority = 0;  // higher is asked first
  DeviceId id = kNone;    // kNone when it is kept out
  Support kept_out;       // why (fence, not available); takes() when it is open
};

class DeviceSet {
 public:
  // Opens every device that the filter allows and the machine offers, in identity order. Throws kInternal unless
  // device 0 is the CPU, and what opening a device throws. What `context` refers to must outlive the set.
  static DeviceSet open(const Registry& registry, const BackendFilter& filter, const DeviceContext& context);

  int size() const { return static_cast<int>(devices_.size()); }
  // Throws kInternal when there is no such device.
  Device& device(DeviceId id) const;

  // Everything that can be asked, by priority (descending), then backend id, then ordinal.
  const std::vector<AskedDevice>& asked() const { return asked_; }

 private:
  DeviceSet() = default;

  void add_open(const BackendEntry& entry, const DeviceContext& context);

  std::vector<std::unique_ptr<Device>> devices_;  // [DeviceId]
  std::vector<AskedDevice> asked_;
};

}  // namespace minfer
