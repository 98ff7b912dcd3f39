// One large piece of memory for all weights of a device.
#pragma once

#include <cstddef>

#include "base/memory_ledger.h"

namespace minfer::cpu {

// Zeroed, aligned to 2 MiB, in pages of 2 MiB where the system gives them. Movable; an empty one has no data.
class WeightArena {
 public:
  static constexpr size_t kAlignment = size_t{2} << 20;

  WeightArena() = default;
  // kOutOfMemory when the ledger or the system refuses.
  WeightArena(MemoryLedger& ledger, size_t size_bytes);
  WeightArena(WeightArena&& other) noexcept;
  WeightArena& operator=(WeightArena&& other) noexcept;
  ~WeightArena();

  std::byte* data() { return data_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  MemoryLedger::Reservation reservation_;
  std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;
};

}  // namespace minfer::cpu
