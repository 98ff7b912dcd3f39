#include "runtime/staging.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace minfer {

Staging::Entry& Staging::entry_for(const CrossKey& key, const CrossSource& source) {
  Entry& entry = entries_[key];
  if (entry.buffer == nullptr || entry.buffer->size_bytes() != source.capacity_bytes) {
    entry.name = source.name;
    entry.buffer.reset();
    entry.buffer = devices_.device(key.destination)
                       .allocate(source.capacity_bytes, MemoryTag::kStaging, fmt::format("staging '{}'", source.name));
    ++n_allocations_;
  }
  return entry;
}

const Staging::Entry& Staging::entry_at(const CrossKey& key) const {
  const auto it = entries_.find(key);
  check(it != entries_.end(), "[staging] value {} was never copied to {}", key.value,
        devices_.device(key.destination).name());
  return it->second;
}

void Staging::copy_across(const CrossKey& key, const CrossSource& source) {
  check(source.device != key.destination, "[staging] '{}' lies on {} already", source.name,
        devices_.device(source.device).name());
  if (is_pending(key)) return;
  Entry& entry = entry_for(key, source);
  Device& from = devices_.device(source.device);
  Device& to = devices_.device(key.destination);
  const BufferRange target{entry.buffer.get(), 0, source.range.size_bytes};
  entry.copy = CrossCopy{source.range, &to, target, nullptr, &stats_};
  if (sync_ || !from.begin_cross_copy(*entry.copy)) {
    entry.copy.reset();
    round_trip(source, to, target);
  }
  entry.source = &from;
  entry.pending = true;
  in_flight_.push_back(key);
  ++stats_.copies;
}

void Staging::round_trip(const CrossSource& source, Device& destination, const BufferRange& target) {
  const auto size = static_cast<size_t>(source.range.size_bytes);
  if (bounce_.size_bytes() < size) {
    bounce_ = TrackedBuffer();
    bounce_ = TrackedBuffer(ledger_, MemoryTag::kStaging, size, "bytes between two devices");
  }
  const std::span<std::byte> bytes = bounce_.bytes().first(size);
  devices_.device(source.device).read(source.range, bytes);
  destination.write(target, bytes);
  if (source.device != kCpuDevice) ++stats_.blocking_host_copies;
}

void Staging::await_cross(const CrossKey& key) {
  check(is_pending(key), "[staging] '{}' is not in flight to {}: one wait per copy", entry_at(key).name,
        devices_.device(key.destination).name());
  Entry& entry = entries_.at(key);
  if (entry.copy) entry.source->finish_cross_copy(*entry.copy);
  entry.copy.reset();
  entry.pending = false;
  std::erase(in_flight_, key);
  ++stats_.waits;
  ++stats_.deferred_waits;
}

BufferRange Staging::target(const CrossKey& key) const {
  const auto it = entries_.find(key);
  if (it == entries_.end()) return {};
  DeviceBuffer* buffer = it->second.buffer.get();
  return {buffer, 0, buffer == nullptr ? 0 : buffer->size_bytes()};
}

BufferRange Staging::cross_input(const CrossKey& key) const {
  const Entry& entry = entry_at(key);
  check(!entry.pending, "[staging] '{}' is read on {} while its copy is in flight: await_cross is missing", entry.name,
        devices_.device(key.destination).name());
  return target(key);
}

bool Staging::is_pending(const CrossKey& key) const {
  const auto it = entries_.find(key);
  return it != entries_.end() && it->second.pending;
}

void Staging::drain() {
  while (!in_flight_.empty()) await_cross(CrossKey(in_flight_.front()));
}

void Staging::abandon() noexcept {
  for (const CrossKey& key : in_flight_) {
    Entry& entry = entries_.at(key);
    try {
      if (entry.copy) entry.source->finish_cross_copy(*entry.copy);
    } catch (const std::exception&) {
      // The failure that ended the run is already on its way to the caller.
    }
    entry.copy.reset();
    entry.pending = false;
  }
  in_flight_.clear();
}

void Staging::forget(uint64_t uid) {
  const auto first = entries_.lower_bound({uid, std::numeric_limits<ValueId>::min(), 0});
  auto last = first;
  while (last != entries_.end() && last->first.uid == uid) {
    check(!last->second.pending, "[staging] '{}' is forgotten while its copy is in flight", last->second.name);
    ++last;
  }
  entries_.erase(first, last);
}

int64_t Staging::size_bytes() const {
  int64_t bytes = 0;
  for (const auto& [key, entry] : entries_) bytes += entry.buffer == nullptr ? 0 : entry.buffer->size_bytes();
  return bytes;
}

}  // namespace minfer
