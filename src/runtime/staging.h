// Copies of values from one device to another, in two phases: phase A only starts a transfer, phase B waits for it
// where the value is first read. One wait per copy.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_ledger.h"
#include "runtime/device_set.h"

namespace minfer {

// A value of a graph, on its way to a device.
struct CrossKey {
  uint64_t uid = 0;  // of the compiled graph
  ValueId value = kNone;
  DeviceId destination = kCpuDevice;

  auto operator<=>(const CrossKey&) const = default;
};

struct CrossSource {
  DeviceId device = kCpuDevice;
  BufferRange range;           // the bytes in use
  int64_t capacity_bytes = 0;  // of the whole value: the size of its staging buffer
  std::string name;            // for messages
};

// Owns the staging buffers: one of the value's exact size per key, never part of an arena, kept until forget(). For one
// thread at a time. `devices` and `ledger` must outlive it.
class Staging {
 public:
  // With `sync` every copy is the round trip through the host: the reference that the two phases must equal.
  Staging(const DeviceSet& devices, MemoryLedger& ledger, bool sync)
      : devices_(devices), ledger_(ledger), sync_(sync) {}

  // Phase A. A key that is in flight already is the same transfer: nothing happens. A source that declines gets the
  // round trip through the host, counted as a blocking copy unless the host owns the source. A buffer must not be
  // written again before the work that reads it is done.
  void copy_across(const CrossKey& key, const CrossSource& source);

  // Phase B. Throws kInternal when the key is not in flight, so that nothing is waited for twice.
  void await_cross(const CrossKey& key);

  // The staging buffer of a key, for whoever will read it after its wait; empty when there is none.
  BufferRange target(const CrossKey& key) const;

  // The same, checked: kInternal, naming the missing wait, while the key is in flight.
  BufferRange cross_input(const CrossKey& key) const;

  bool is_pending(const CrossKey& key) const;

  // Waits for everything in flight.
  void drain();

  // After a failure: ends what is in flight without counting it. All devices must have been synchronized.
  void abandon() noexcept;

  // Frees the buffers of a graph. None of them may be in flight.
  void forget(uint64_t uid);

  const CopyStats& stats() const { return stats_; }
  int64_t n_allocations() const { return n_allocations_; }
  int64_t size_bytes() const;

 private:
  struct Entry {
    std::string name;
    std::unique_ptr<DeviceBuffer> buffer;
    bool pending = false;
    Device* source = nullptr;
    std::optional<CrossCopy> copy;  // nothing when the transfer is complete already
  };

  Entry& entry_for(const CrossKey& key, const CrossSource& source);
  const Entry& entry_at(const CrossKey& key) const;
  void round_trip(const CrossSource& source, Device& destination, const BufferRange& target);

  const DeviceSet& devices_;
  MemoryLedger& ledger_;
  bool sync_;
  std::map<CrossKey, Entry> entries_;
  std::vector<CrossKey> in_flight_;  // in order of phase A
  TrackedBuffer bounce_;             // host bytes of a round trip
  CopyStats stats_;
  int64_t n_allocations_ = 0;
};

}  // namespace minfer
