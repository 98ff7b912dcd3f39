#include "tests/alloc/allocations.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace minfer::test {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

std::atomic<uint64_t> sites{0};
std::atomic<uint64_t> fails_at{kNever};
std::atomic<bool> fails_behind{false};
std::atomic<bool> failed{false};
std::atomic<int64_t> blocks{0};
std::atomic<int64_t> mapped_bytes{0};

// Counts one site; true when it is to fail.
bool fails_here() {
  const uint64_t site = sites.fetch_add(1) + 1;
  const uint64_t at = fails_at.load();
  const bool fails = site == at || (site > at && fails_behind.load());
  if (fails) failed.store(true);
  return fails;
}

void* allocate(size_t size, size_t alignment) {
  if (fails_here()) return nullptr;
  void* block = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    block = std::malloc(size == 0 ? 1 : size);
  } else if (posix_memalign(&block, alignment, size == 0 ? 1 : size) != 0) {
    return nullptr;
  }
  if (block != nullptr) blocks.fetch_add(1);
  return block;
}

void* allocate_or_throw(size_t size, size_t alignment) {
  void* block = allocate(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void release(void* block) {
  if (block == nullptr) return;
  blocks.fetch_sub(1);
  std::free(block);
}

int64_t whole_pages(size_t size) {
  constexpr size_t kPage = 4096;
  return static_cast<int64_t>((size + kPage - 1) / kPage * kPage);
}

template <typename Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

LiveAllocations live_allocations() {
  return {blocks.load(), mapped_bytes.load()};
}

uint64_t allocation_sites() {
  return sites.load();
}

FailingAllocation::FailingAllocation(uint64_t k, bool and_all_behind) {
  failed.store(false);
  fails_behind.store(and_all_behind);
  fails_at.store(sites.load() + k);
}

FailingAllocation::~FailingAllocation() {
  fails_at.store(kNever);
}

bool FailingAllocation::has_failed() const {
  return failed.load();
}

}  // namespace minfer::test

using minfer::test::allocate;
using minfer::test::allocate_or_throw;
using minfer::test::release;

constexpr size_t kPlain = alignof(std::max_align_t);

void* operator new(size_t size) {
  return allocate_or_throw(size, kPlain);
}
void* operator new[](size_t size) {
  return allocate_or_throw(size, kPlain);
}
void* operator new(size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<size_t>(at));
}
void* operator new[](size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<size_t>(at));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, kPlain);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, kPlain);
}
void operator delete(void* block) noexcept {
  release(block);
}
void operator delete[](void* block) noexcept {
  release(block);
}
void operator delete(void* block, size_t) noexcept {
  release(block);
}
void operator delete[](void* block, size_t) noexcept {
  release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  release(block);
}
void operator delete(void* block, size_t, std::align_val_t) noexcept {
  release(block);
}
void operator delete[](void* block, size_t, std::align_val_t) noexcept {
  release(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  release(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  release(block);
}

extern "C" {

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  using namespace minfer::test;
  if (fails_here()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  // The sanitizers' own mmap must see this one; before they are up the system is asked.
  static const auto next = next_function<decltype(&mmap)>("mmap");
  void* data = next != nullptr
                   ? next(address, size, protection, flags, fd, offset)
                   : reinterpret_cast<void*>(syscall(SYS_mmap, address, size, protection, flags, fd, offset));
  if (data != MAP_FAILED) mapped_bytes.fetch_add(whole_pages(size));
  return data;
}

int munmap(void* address, size_t size) noexcept {
  using namespace minfer::test;
  static const auto next = next_function<decltype(&munmap)>("munmap");
  const int result = next != nullptr ? next(address, size) : static_cast<int>(syscall(SYS_munmap, address, size));
  if (result == 0) mapped_bytes.fetch_sub(whole_pages(size));
  return result;
}

void* aligned_alloc(size_t alignment, size_t size) noexcept {
  using namespace minfer::test;
  if (fails_here()) {
    errno = ENOMEM;
    return nullptr;
  }
  static const auto next = next_function<decltype(&aligned_alloc)>("aligned_alloc");
  return next(alignment, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using namespace minfer::test;
  if (fails_here()) return EAGAIN;
  static const auto next = next_function<decltype(&pthread_create)>("pthread_create");
  return next(thread, attributes, start, argument);
}
}
