// The ledger's arithmetic and the two ways a tracked buffer is allocated: from the heap when small, by mmap when large.
#include "base/memory_ledger.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace minfer {

std::string_view memory_tag_name(MemoryTag tag) {
  switch (tag) {
    case MemoryTag::kWeights: return "weights";
    case MemoryTag::kRepacked: return "repacked weights";
    case MemoryTag::kKv: return "KV";
    case MemoryTag::kActivations: return "activations";
    case MemoryTag::kStaging: return "staging";
    case MemoryTag::kScratch: return "scratch";
    case MemoryTag::kTokenizer: return "tokenizer";
  }
  return "unknown";
}

std::string format_bytes(uint64_t bytes) {
  return fmt::format("{} bytes ({:.1f} MiB)", bytes, static_cast<double>(bytes) / (1024.0 * 1024.0));
}

MemoryLedger::Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)),
      tag_(other.tag_),
      bytes_(std::exchange(other.bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

MemoryLedger::Reservation& MemoryLedger::Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  ledger_ = std::exchange(other.ledger_, nullptr);
  tag_ = other.tag_;
  bytes_ = std::exchange(other.bytes_, 0);
  data_ = std::exchange(other.data_, nullptr);
  return *this;
}

void MemoryLedger::Reservation::set_memory(const std::byte* data) {
  check(ledger_ != nullptr && data_ == nullptr, "[memory] a place for memory that is not entered, or has one");
  const std::lock_guard lock(ledger_->mutex_);
  ledger_->mappings_.push_back({tag_, data, bytes_});
  data_ = data;
}

void MemoryLedger::Reservation::release() noexcept {
  if (ledger_ != nullptr) ledger_->give_back(*this);
  ledger_ = nullptr;
  bytes_ = 0;
  data_ = nullptr;
}

MemoryLedger::Reservation MemoryLedger::reserve(MemoryTag tag, uint64_t bytes, std::string_view what) {
  const std::lock_guard lock(mutex_);
  const uint64_t left = cap_bytes_ - std::min(cap_bytes_, total_);
  if (bytes > left) {
    fail(ErrorCode::kOutOfMemory,
         "[memory] {} ({}) needs {}: {} in use, the cap is {}; raise the memory limit or ask for less", what,
         memory_tag_name(tag), format_bytes(bytes), format_bytes(total_), format_bytes(cap_bytes_));
  }
  // Here, where an owner has nothing to lose yet: set_memory() needs no memory of its own.
  if (mappings_.capacity() <= n_reservations_) mappings_.reserve(2 * n_reservations_ + 8);
  ++n_reservations_;
  by_tag_[static_cast<size_t>(tag)] += bytes;
  total_ += bytes;
  peak_ = std::max(peak_, total_);
  return Reservation(this, tag, bytes);
}

void MemoryLedger::give_back(const Reservation& reservation) noexcept {
  const std::lock_guard lock(mutex_);
  --n_reservations_;
  by_tag_[static_cast<size_t>(reservation.tag_)] -= reservation.bytes_;
  total_ -= reservation.bytes_;
  if (reservation.data_ == nullptr) return;
  std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.data == reservation.data_; });
}

std::vector<MemoryLedger::Mapping> MemoryLedger::mappings() const {
  const std::lock_guard lock(mutex_);
  return mappings_;
}

uint64_t MemoryLedger::bytes(MemoryTag tag) const {
  const std::lock_guard lock(mutex_);
  return by_tag_[static_cast<size_t>(tag)];
}

uint64_t MemoryLedger::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

uint64_t MemoryLedger::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

uint64_t MemoryLedger::available() const {
  const std::lock_guard lock(mutex_);
  return cap_bytes_ == kUnlimited ? kUnlimited : cap_bytes_ - total_;
}

namespace {

constexpr size_t kMapFrom = size_t{256} << 10;

// Null when the system refuses.
void* allocate_zeroed(size_t size_bytes) {
  if (size_bytes >= kMapFrom) {
    void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? nullptr : data;
  }
  constexpr size_t kMask = TrackedBuffer::kAlignment - 1;
  void* data = std::aligned_alloc(TrackedBuffer::kAlignment, (size_bytes + kMask) & ~kMask);
  if (data != nullptr) std::memset(data, 0, size_bytes);
  return data;
}

}  // namespace

TrackedBuffer::TrackedBuffer(MemoryLedger& ledger, MemoryTag tag, size_t size_bytes, std::string_view what)
    : reservation_(ledger.reserve(tag, size_bytes, what)), size_bytes_(size_bytes) {
  if (size_bytes == 0) return;
  data_ = static_cast<std::byte*>(allocate_zeroed(size_bytes));
  if (data_ == nullptr) {
    fail(ErrorCode::kOutOfMemory, "[memory] {} ({}): the system refused {}; {} in use", what, memory_tag_name(tag),
         format_bytes(size_bytes), format_bytes(ledger.total() - size_bytes));
  }
  if (size_bytes >= kMapFrom) reservation_.set_memory(data_);
}

TrackedBuffer::TrackedBuffer(TrackedBuffer&& other) noexcept
    : reservation_(std::move(other.reservation_)),
      data_(std::exchange(other.data_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

TrackedBuffer& TrackedBuffer::operator=(TrackedBuffer&& other) noexcept {
  if (this == &other) return *this;
  free();
  reservation_ = std::move(other.reservation_);
  data_ = std::exchange(other.data_, nullptr);
  size_bytes_ = std::exchange(other.size_bytes_, 0);
  return *this;
}

TrackedBuffer::~TrackedBuffer() {
  free();
}

void TrackedBuffer::free() noexcept {
  if (data_ == nullptr) return;
  if (size_bytes_ >= kMapFrom) {
    munmap(data_, size_bytes_);
  } else {
    std::free(data_);
  }
  data_ = nullptr;
}

}  // namespace minfer
