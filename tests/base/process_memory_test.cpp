// What the process says about its own memory.
#include "base/process_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace minfer {
namespace {

TEST(ProcessMemory, FindsTheProgramAndTheStackAmongItsMappings) {
  const std::vector<MemoryArea> areas = memory_areas();
  const int on_the_stack = 0;
  const auto area_of = [&](const void* pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    return std::ranges::find_if(areas, [&](const MemoryArea& a) { return address >= a.begin && address < a.end; });
  };
  const auto stack = area_of(&on_the_stack);
  ASSERT_NE(stack, areas.end());
  EXPECT_EQ(stack->name, "[stack]");
  EXPECT_GT(stack->resident_bytes, 0u);
  const auto program = area_of(reinterpret_cast<const void*>(&memory_areas));
  ASSERT_NE(program, areas.end());
  EXPECT_NE(program->name.find("base_test"), std::string::npos) << program->name;
  EXPECT_TRUE(std::ranges::is_sorted(areas, {}, &MemoryArea::begin));
  uint64_t sum = 0;
  for (const MemoryArea& area : areas) sum += area.resident_bytes;
  EXPECT_LE(sum, peak_resident_bytes() + (uint64_t{4} << 20));  // the system counts the peak in batches
}

TEST(ProcessMemory, KnowsWhatTheAllocatorHandsOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the allocator of the sanitizers does not tell";
#endif
  const uint64_t before = heap_use().used_bytes;
  const auto block = std::make_unique<char[]>(1 << 20);
  EXPECT_GE(heap_use().used_bytes, before + (1 << 20));
  trim_heap();
  EXPECT_GE(heap_use().used_bytes, before + (1 << 20));
}

TEST(ProcessMemory, CountsNothingOfNothing) {
  EXPECT_EQ(resident_bytes(nullptr, 0), 0u);
}

}  // namespace
}  // namespace minfer
