// What the system says about the memory of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace minfer {

// The most that was resident at any time, in bytes; pages of mapped files count.
uint64_t peak_resident_bytes();

// Resident bytes of the pages that [data, data + size_bytes) touches; `size_bytes` where the system does not tell.
uint64_t resident_bytes(const std::byte* data, uint64_t size_bytes);

// One mapping of the process.
struct MemoryArea {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uint64_t resident_bytes = 0;
  std::string name;  // path of a mapped file, "[heap]", "[stack]", … or ""
};

// All of them, by address; none where the system does not tell.
std::vector<MemoryArea> memory_areas();

// Of the allocator behind new and malloc.
struct HeapUse {
  uint64_t used_bytes = 0;   // handed out
  uint64_t freed_bytes = 0;  // given back to it, but kept from the system
};
HeapUse heap_use();

// Gives the freed memory that the allocator keeps back to the system.
void trim_heap();

}  // namespace minfer
