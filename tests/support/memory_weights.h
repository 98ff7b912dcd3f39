// Weights from the test's own memory, for devices.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "backend/device.h"

namespace minfer::test {

class MemoryWeights final : public WeightSource {
 public:
  // `data` must outlive the devices that it is registered with.
  void add(WeightId id, std::span<const std::byte> data) {
    data_[id] = data;
    ids_.push_back(id);
  }

  const std::vector<WeightId>& ids() const { return ids_; }
  void register_with(Device& device, const WeightTable& table) const {
    device.register_weights({&table, ids_, this, nullptr, nullptr});
  }

  std::span<const std::byte> view(WeightId id) const override { return data_.at(id); }
  void read(WeightId id, int64_t offset, std::span<std::byte> out) const override {
    const std::span<const std::byte> from = data_.at(id).subspan(static_cast<size_t>(offset), out.size());
    std::memcpy(out.data(), from.data(), out.size());
  }
  uint64_t position(WeightId id) const override { return static_cast<uint64_t>(id); }

 private:
  std::map<WeightId, std::span<const std::byte>> data_;
  std::vector<WeightId> ids_;
};

}  // namespace minfer::test
