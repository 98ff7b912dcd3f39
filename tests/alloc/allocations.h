// Counts every allocation of the process and can make one of them fail. Linking allocations.cpp replaces operator new
// and puts a layer around mmap, aligned_alloc and pthread_create, so that the library needs no seam for it.
#pragma once

#include <cstdint>

namespace minfer::test {

// What is allocated and not yet freed, in all threads.
struct LiveAllocations {
  int64_t blocks = 0;        // of operator new
  int64_t mapped_bytes = 0;  // of mmap, in whole pages

  bool operator==(const LiveAllocations&) const = default;
};
LiveAllocations live_allocations();

// Sites passed since the process started: allocations, mappings and thread starts.
uint64_t allocation_sites();

// While the object lives, the k-th site from its making fails (k from 1): operator new throws std::bad_alloc, the rest
// return their error. `and_all_behind`: every later one fails too. One object at a time; the sites of all threads
// count.
class FailingAllocation {
 public:
  explicit FailingAllocation(uint64_t k, bool and_all_behind = false);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  bool has_failed() const;
};

}  // namespace minfer::test
