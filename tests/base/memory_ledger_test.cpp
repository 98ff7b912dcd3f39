#include "base/memory_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/process_memory.h"

namespace minfer {
namespace {

TEST(MemoryLedger, CountsByTagAndRemembersThePeak) {
  MemoryLedger ledger;
  {
    const auto weights = ledger.reserve(MemoryTag::kWeights, 100, "w");
    auto kv = ledger.reserve(MemoryTag::kKv, 30, "k");
    EXPECT_EQ(ledger.bytes(MemoryTag::kWeights), 100u);
    EXPECT_EQ(ledger.bytes(MemoryTag::kKv), 30u);
    EXPECT_EQ(ledger.total(), 130u);
    kv.release();
    EXPECT_EQ(ledger.total(), 100u);
  }
  EXPECT_EQ(ledger.total(), 0u);
  EXPECT_EQ(ledger.peak(), 130u);
}

TEST(MemoryLedger, RefusesBeyondTheCapWithTheNumbers) {
  MemoryLedger ledger(3 << 20);
  const auto held = ledger.reserve(MemoryTag::kKv, 2 << 20, "cache");
  try {
    (void)ledger.reserve(MemoryTag::kScratch, (1 << 20) + 1, "attention partials");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_STREQ(error.what(),
                 "[memory] attention partials (scratch) needs 1048577 bytes (1.0 MiB): 2097152 bytes (2.0 MiB) in use, "
                 "the cap is 3145728 bytes (3.0 MiB); raise the memory limit or ask for less");
  }
  EXPECT_EQ(ledger.available(), uint64_t{1} << 20);
  EXPECT_NO_THROW(ledger.reserve(MemoryTag::kScratch, 1 << 20, "just fits"));
  EXPECT_THROW(ledger.reserve(MemoryTag::kKv, ~uint64_t{0}, "huge"), Error);
}

TEST(MemoryLedger, RefusesASumThatWouldWrapAround) {
  MemoryLedger ledger;
  const auto held = ledger.reserve(MemoryTag::kKv, 10, "a");
  EXPECT_THROW(ledger.reserve(MemoryTag::kKv, ~uint64_t{0} - 5, "b"), Error);
}

TEST(MemoryLedger, MovedReservationsAreGivenBackOnce) {
  MemoryLedger ledger;
  auto a = ledger.reserve(MemoryTag::kKv, 10, "a");
  auto b = std::move(a);
  EXPECT_EQ(ledger.total(), 10u);
  b = ledger.reserve(MemoryTag::kKv, 7, "b");
  EXPECT_EQ(ledger.total(), 7u);
}

TEST(MemoryLedger, CountsFromSeveralThreads) {
  MemoryLedger ledger;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) (void)ledger.reserve(MemoryTag::kStaging, 8, "x");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ledger.total(), 0u);
  EXPECT_LE(ledger.peak(), 32u);
}

TEST(TrackedBuffer, IsZeroedAlignedAndEnteredInTheLedger) {
  MemoryLedger ledger;
  for (const size_t size : {size_t{1}, size_t{1000}, size_t{256} << 10, size_t{5} << 20}) {
    TrackedBuffer buffer(ledger, MemoryTag::kActivations, size, "arena");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_TRUE(std::ranges::all_of(buffer.bytes(), [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_EQ(ledger.bytes(MemoryTag::kActivations), size);
    TrackedBuffer other = std::move(buffer);
    EXPECT_EQ(other.size_bytes(), size);
    EXPECT_EQ(ledger.total(), size);
  }
  EXPECT_EQ(ledger.total(), 0u);
}

TEST(TrackedBuffer, ThatIsLargeIsAMappingWhoseResidentPagesCount) {
  MemoryLedger ledger;
  TrackedBuffer small(ledger, MemoryTag::kScratch, 1000, "small");
  EXPECT_TRUE(ledger.mappings().empty());
  TrackedBuffer large(ledger, MemoryTag::kKv, size_t{4} << 20, "large");
  const TrackedBuffer moved = std::move(large);
  const std::vector<MemoryLedger::Mapping> mappings = ledger.mappings();
  ASSERT_EQ(mappings.size(), 1u);
  EXPECT_EQ(mappings[0].tag, MemoryTag::kKv);
  EXPECT_EQ(mappings[0].data, moved.data());
  EXPECT_EQ(mappings[0].bytes, uint64_t{4} << 20);
  EXPECT_EQ(resident_bytes(mappings[0].data, mappings[0].bytes), 0u);
  const_cast<std::byte*>(moved.data())[0] = std::byte{1};
  const uint64_t one_page = resident_bytes(mappings[0].data, mappings[0].bytes);
  EXPECT_GT(one_page, 0u);
  EXPECT_LE(one_page, uint64_t{2} << 20);
  {
    const TrackedBuffer gone(ledger, MemoryTag::kKv, size_t{1} << 20, "gone");
    EXPECT_EQ(ledger.mappings().size(), 2u);
  }
  EXPECT_EQ(ledger.mappings().size(), 1u);
}

TEST(TrackedBuffer, ReportsWhatTheSystemRefuses) {
  MemoryLedger ledger;
  try {
    const TrackedBuffer buffer(ledger, MemoryTag::kKv, size_t{1} << 60, "KV of 9 sequences");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_NE(std::string(error.what()).find("KV of 9 sequences (KV): the system refused 1152921504606846976 bytes"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(ledger.total(), 0u);
}

}  // namespace
}  // namespace minfer
