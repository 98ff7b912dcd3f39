// The set of backends that a run may use: a value that builtin/ or a test fills, not a global. Two orders, never mixed:
// identity (the id) and priority (descending, then id).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/device.h"
#include "base/memory_ledger.h"
#include "base/thread_pool.h"
#include "tensor/dtype.h"

namespace minfer {

// What an engine lends to the devices that it opens; it outlives them.
struct DeviceContext {
  ThreadPool& pool;
  MemoryLedger& ledger;
};

struct BackendEntry {
  Backend backend{0};
  uint16_t priority = 0;
  // Whether its attention reads packed (block-quantized) key/value blocks: asked about a format, without a device.
  bool reads_packed_kv = false;
  // Why no device can be used on this machine now (absent, disabled); nothing when one can.
  std::function<std::optional<std::string>()> unavailable = [] { return std::optional<std::string>(); };
  // Opens its devices, in ordinal order. Called once per engine.
  std::function<std::vector<std::unique_ptr<Device>>(const DeviceContext& context)> open_devices;
};

class Registry {
 public:
  // Error kInternal when the backend is there already.
  void add(BackendEntry entry);

  // The entry of a backend, or null when this build does not contain it.
  const BackendEntry* find(Backend backend) const;

  // Entries in identity order, and in priority order.
  const std::vector<BackendEntry>& by_identity() const { return entries_; }
  std::vector<const BackendEntry*> by_priority() const;

  // Whether `backend` can keep the KV format `dtype`: packed ones need reads_packed_kv.
  bool supports_kv_format(Backend backend, DType dtype) const;

 private:
  std::vector<BackendEntry> entries_;  // sorted by id
};

}  // namespace minfer
