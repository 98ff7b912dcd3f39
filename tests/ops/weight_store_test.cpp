// How the CPU keeps the weights of a batch.
#include "backend/cpu/weight_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/interleave.h"
#include "base/error.h"
#include "tests/support/memory_weights.h"

namespace minfer::ops_test {
namespace {

using cpu::WeightLayout;
using cpu::WeightStore;

// Notes what is read, in order, and may fail at one weight.
class WatchedWeights final : public WeightSource {
 public:
  std::span<const std::byte> view(WeightId id) const override { return memory.view(id); }
  void read(WeightId id, int64_t offset, std::span<std::byte> out) const override {
    const std::lock_guard lock(mutex_);
    if (id == fails_at) fail(ErrorCode::kIo, "weight {} is gone", id);
    reads.push_back(id);
    memory.read(id, offset, out);
  }
  uint64_t position(WeightId id) const override { return 1000 - static_cast<uint64_t>(id); }  // the last lies in front

  test::MemoryWeights memory;
  WeightId fails_at = kNone;
  mutable std::vector<WeightId> reads;

 private:
  mutable std::mutex mutex_;
};

class WeightStoreTest : public testing::Test {
 protected:
  WeightStoreTest() {
    add("matrix", {DType::kQ5_1, {37, 64}});
    add("vector", {DType::kF32, {64}});
    add("long", {DType::kQ8_0, {16, 32 * 1024}});  // a panel of more than one piece's size
    add("many", {DType::kF32, {5000, 32}});        // many pieces
  }

  void add(const std::string& name, const TensorDesc& desc) {
    std::vector<std::byte>& bytes = data_.emplace_back(static_cast<size_t>(desc.size_bytes()));
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251 + data_.size());
    source_.memory.add(table_.add(name, desc, kNone), bytes);
  }

  WeightBatch batch() const { return {&table_, source_.memory.ids(), &source_}; }

  // The instruction set whose kernels read panels, or null.
  static const cpu::KernelTable* panel_kernels() {
    for (const cpu::IsaChoice& isa : cpu::isa_choices()) {
      if (isa.kernels->matmul_panels[cpu::dtype_index(DType::kQ4_0)].run != nullptr) return isa.kernels;
    }
    return nullptr;
  }

  std::vector<std::byte> row(const WeightStore& store, WeightId id, int64_t row) const {
    const TensorDesc& desc = table_.at(id).desc;
    std::vector<std::byte> out(static_cast<size_t>(desc.row_bytes()));
    const int64_t panel = cpu::panel_bytes(desc.dtype, desc.shape[1]);
    const int64_t n_blocks = desc.shape[1] / dtype_info(desc.dtype).block_elements;
    cpu::deinterleave(desc.dtype, desc.shape[1], store.view(id).data + row / cpu::kPanelRows * panel,
                      static_cast<int>(row % cpu::kPanelRows), 0, n_blocks, out.data());
    return out;
  }

  std::deque<std::vector<std::byte>> data_;  // [WeightId]
  WeightTable table_;
  WatchedWeights source_;
  MemoryLedger ledger_;
};

TEST_F(WeightStoreTest, InterleavesEveryRowOfEveryMatrixAndCopiesVectors) {
  if (panel_kernels() == nullptr) GTEST_SKIP() << "no kernels for panels in this build";
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    WeightStore store(pool, ledger_, *panel_kernels(), true);
    store.add(batch());
    for (WeightId id : {0, 2, 3}) {
      ASSERT_EQ(store.view(id).layout, WeightLayout::kInterleaved);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(store.view(id).data) % 64, 0U);
      const auto row_bytes = static_cast<size_t>(table_.at(id).desc.row_bytes());
      for (int64_t r = 0; r < table_.at(id).desc.shape[0]; ++r) {
        const auto* stored = data_[static_cast<size_t>(id)].data() + static_cast<size_t>(r) * row_bytes;
        ASSERT_EQ(row(store, id, r), std::vector<std::byte>(stored, stored + row_bytes)) << id << " row " << r;
      }
    }
    EXPECT_EQ(store.view(1).layout, WeightLayout::kRaw);
    EXPECT_NE(store.view(1).data, data_[1].data());
    EXPECT_TRUE(std::equal(data_[1].begin(), data_[1].end(), store.view(1).data));
    EXPECT_EQ(store.raw_bytes(), 0U);
  }
}

TEST_F(WeightStoreTest, ReadsInTheOrderOfTheStorage) {
  if (panel_kernels() == nullptr) GTEST_SKIP() << "no kernels for panels in this build";
  ThreadPool pool(1);
  WeightStore(pool, ledger_, *panel_kernels(), true).add(batch());
  EXPECT_TRUE(std::is_sorted(source_.reads.rbegin(), source_.reads.rend()));
  EXPECT_EQ(source_.reads.front(), 3);
  EXPECT_EQ(source_.reads.back(), 0);
}

TEST_F(WeightStoreTest, KeepsViewsForScalarKernelsAndWithoutRepacking) {
  ThreadPool pool(2);
  WeightStore scalar(pool, ledger_, cpu::scalar_kernels(), true);
  scalar.add(batch());
  WeightStore raw(pool, ledger_, panel_kernels() ? *panel_kernels() : cpu::scalar_kernels(), false);
  raw.add(batch());
  for (WeightId id = 0; id < 4; ++id) {
    for (const WeightStore* store : {&scalar, &raw}) {
      EXPECT_EQ(store->view(id).data, data_[static_cast<size_t>(id)].data());
      EXPECT_EQ(store->view(id).layout, WeightLayout::kRaw);
    }
  }
  EXPECT_TRUE(source_.reads.empty());
  EXPECT_EQ(ledger_.bytes(MemoryTag::kRepacked), 0U);
}

TEST_F(WeightStoreTest, HoldsNothingOfABatchThatFails) {
  if (panel_kernels() == nullptr) GTEST_SKIP() << "no kernels for panels in this build";
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    WeightStore store(pool, ledger_, *panel_kernels(), true);
    source_.fails_at = 2;
    EXPECT_THROW(store.add(batch()), Error);
    for (WeightId id = 0; id < 4; ++id) EXPECT_EQ(store.view(id).data, nullptr);
    EXPECT_EQ(ledger_.total(), 0U);
    source_.fails_at = kNone;
    store.add(batch());
    EXPECT_NE(store.view(2).data, nullptr);
    EXPECT_THROW(store.add(batch()), Error);  // they are there already
  }
}

TEST_F(WeightStoreTest, RefusesForWantOfMemoryBeforeItReads) {
  if (panel_kernels() == nullptr) GTEST_SKIP() << "no kernels for panels in this build";
  MemoryLedger small(1 << 20);
  ThreadPool pool(1);
  WeightStore store(pool, small, *panel_kernels(), true);
  EXPECT_THROW(store.add(batch()), Error);
  EXPECT_TRUE(source_.reads.empty());
}

}  // namespace
}  // namespace minfer::ops_test
