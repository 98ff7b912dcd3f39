// Who uses how much memory: every large allocation of an engine is entered here under a tag, and a cap refuses with
// numbers before anything is allocated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minfer {

enum class MemoryTag { kWeights, kRepacked, kKv, kActivations, kStaging, kScratch, kTokenizer };
constexpr size_t kMemoryTagCount = 7;

// "weights", "repacked weights", "KV", …
std::string_view memory_tag_name(MemoryTag tag);

// "1234 bytes (0.0 MiB)".
std::string format_bytes(uint64_t bytes);

// An engine owns one. Thread-safe. It must outlive its reservations.
class MemoryLedger {
 public:
  static constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

  explicit MemoryLedger(uint64_t cap_bytes = kUnlimited) : cap_bytes_(cap_bytes) {}
  MemoryLedger(const MemoryLedger&) = delete;
  MemoryLedger& operator=(const MemoryLedger&) = delete;

  // Bytes entered under a tag until the object goes. Movable; a default-made one holds nothing.
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&& other) noexcept;
    ~Reservation() { release(); }

    uint64_t bytes() const { return bytes_; }
    // Says where the memory lies, if it is a mapping of its own, so that its resident pages can be counted.
    // Allocates nothing.
    void set_memory(const std::byte* data);
    void release() noexcept;

   private:
    friend class MemoryLedger;
    Reservation(MemoryLedger* ledger, MemoryTag tag, uint64_t bytes) : ledger_(ledger), tag_(tag), bytes_(bytes) {}

    MemoryLedger* ledger_ = nullptr;
    MemoryTag tag_ = MemoryTag::kWeights;
    uint64_t bytes_ = 0;
    const std::byte* data_ = nullptr;  // see set_memory()
  };

  // Enters `bytes` under `tag`. kOutOfMemory when the total would pass the cap: the text names `what`, the bytes asked
  // for, those in use and the cap.
  Reservation reserve(MemoryTag tag, uint64_t bytes, std::string_view what);

  // Memory whose place is known.
  struct Mapping {
    MemoryTag tag;
    const std::byte* data;
    uint64_t bytes;
  };
  std::vector<Mapping> mappings() const;

  uint64_t bytes(MemoryTag tag) const;
  uint64_t total() const;
  uint64_t peak() const;                             // the largest total so far
  uint64_t cap_bytes() const { return cap_bytes_; }  // kUnlimited when there is none
  uint64_t available() const;                        // what may still be reserved; kUnlimited without a cap

 private:
  void give_back(const Reservation& reservation) noexcept;

  const uint64_t cap_bytes_;
  mutable std::mutex mutex_;
  std::array<uint64_t, kMemoryTagCount> by_tag_{};  // [tag]
  uint64_t total_ = 0;
  uint64_t peak_ = 0;
  size_t n_reservations_ = 0;
  std::vector<Mapping> mappings_;  // has room for every reservation
};

// Owned bytes, zero-filled, aligned to 64, entered in a ledger. Untouched pages of a large buffer cost no memory.
// Movable; an empty one has no data.
class TrackedBuffer {
 public:
  static constexpr size_t kAlignment = 64;

  TrackedBuffer() = default;
  // kOutOfMemory when the ledger or the system refuses; `what` names the buffer in the message.
  TrackedBuffer(MemoryLedger& ledger, MemoryTag tag, size_t size_bytes, std::string_view what);
  TrackedBuffer(TrackedBuffer&& other) noexcept;
  TrackedBuffer& operator=(TrackedBuffer&& other) noexcept;
  ~TrackedBuffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  std::span<std::byte> bytes() { return {data_, size_bytes_}; }
  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }

 private:
  void free() noexcept;

  MemoryLedger::Reservation reservation_;
  std::byte* data_ = nullptr;  // [size_bytes_]
  size_t size_bytes_ = 0;
};

}  // namespace minfer
