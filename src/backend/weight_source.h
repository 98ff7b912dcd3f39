// Where devices read the bytes of the weights that they take.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "graph/weight_table.h"

namespace minfer {

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  // The stored bytes, in memory that lives as long as the source. Reading them may read a file.
  virtual std::span<const std::byte> view(WeightId id) const = 0;
  // Fills `out` with the stored bytes from `offset` on. From any thread. Throws what reading throws (kIo for a file
  // that is shorter than it was, or was written to), naming the weight.
  virtual void read(WeightId id, int64_t offset, std::span<std::byte> out) const = 0;
  // Where the weight lies in the storage: reading in ascending order is the fastest.
  virtual uint64_t position(WeightId id) const = 0;
};

// Weights to register with a device, in any order, each once.
struct WeightBatch {
  const WeightTable* table = nullptr;
  std::span<const WeightId> ids;
  const WeightSource* source = nullptr;  // outlives the device
  // Called now and then, from one thread, with the bytes that are done and those of the whole batch; may be null.
  std::function<void(uint64_t done, uint64_t total)> progress = nullptr;
  const std::atomic<bool>* cancel = nullptr;  // may be null; when set, registering ends with kCancelled
};

}  // namespace minfer
