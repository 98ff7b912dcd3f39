#include "tests/fuzz/heap_peak.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

// Only clang ships the header of the hooks; gcc's sanitizer counts nothing here.
#if defined(__has_feature) && __has_include(<sanitizer/allocator_interface.h>)
#if __has_feature(address_sanitizer)
#define MINFER_COUNTS_HEAP 1
#endif
#endif

#if MINFER_COUNTS_HEAP
#include <sanitizer/allocator_interface.h>
#endif

namespace minfer::fuzz {
namespace {

std::atomic<uint64_t> used{0};
std::atomic<uint64_t> most{0};

#if MINFER_COUNTS_HEAP
void on_malloc(const volatile void* /*block*/, size_t size) {
  const uint64_t now = used.fetch_add(size) + size;
  uint64_t seen = most.load();
  while (now > seen && !most.compare_exchange_weak(seen, now)) continue;
}

void on_free(const volatile void* block) {
  if (block != nullptr) used.fetch_sub(__sanitizer_get_allocated_size(block));
}

// Blocks from before the hooks lower the count when they are freed; it starts far above zero.
const bool kInstalled = [] {
  used = most = uint64_t{1} << 40;
  return __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
}();
#endif

}  // namespace

HeapPeak::HeapPeak() : start_(used.load()) {
  most.store(start_);
}

uint64_t HeapPeak::bytes() const {
  return most.load() - std::min(most.load(), start_);
}

}  // namespace minfer::fuzz
