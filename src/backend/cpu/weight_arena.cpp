#include "backend/cpu/weight_arena.h"

#include <sys/mman.h>

#include <utility>

#include "base/error.h"

namespace minfer::cpu {
namespace {

// Maps `size` bytes at a multiple of kAlignment; null when the system refuses.
std::byte* map_aligned(size_t size) {
  constexpr size_t kAlignment = WeightArena::kAlignment;
  void* mapped = mmap(nullptr, size + kAlignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(mapped);
  const size_t before = (kAlignment - reinterpret_cast<uintptr_t>(begin) % kAlignment) % kAlignment;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, kAlignment - before);
  return begin + before;
}

}  // namespace

WeightArena::WeightArena(MemoryLedger& ledger, size_t size_bytes)
    : reservation_(ledger.reserve(MemoryTag::kRepacked, size_bytes, "the model's weights")) {
  if (size_bytes == 0) return;
  constexpr size_t kPage = 4096;
  const size_t mapped = (size_bytes + kPage - 1) / kPage * kPage;
  data_ = map_aligned(mapped);
  if (data_ == nullptr) {
    fail(ErrorCode::kOutOfMemory, "[memory] the model's weights: the system refused {}", format_bytes(size_bytes));
  }
  size_bytes_ = mapped;
  // A hint: without large pages the weights are only somewhat slower to read.
  madvise(data_, size_bytes_, MADV_HUGEPAGE);
  reservation_.set_memory(data_);
}

WeightArena::WeightArena(WeightArena&& other) noexcept {
  *this = std::move(other);
}

WeightArena& WeightArena::operator=(WeightArena&& other) noexcept {
  std::swap(reservation_, other.reservation_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

WeightArena::~WeightArena() {
  if (data_ != nullptr) munmap(data_, size_bytes_);
}

}  // namespace minfer::cpu
