// Device memory of the key/value blocks, on a device that is plain host memory.
#include "runtime/kv_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/error.h"

namespace minfer {
namespace {

struct HostBuffer : DeviceBuffer {
  HostBuffer(MemoryLedger& ledger, MemoryTag tag, int64_t bytes, const std::string& what)
      : DeviceBuffer(bytes), memory(ledger, tag, static_cast<size_t>(bytes), what) {}

  TrackedBuffer memory;
};

std::byte* bytes_at(const BufferRange& range) {
  return static_cast<HostBuffer*>(range.buffer)->memory.data() + range.offset_bytes;
}

// Memory only: it runs no node.
class MemoryDevice : public Device {
 public:
  explicit MemoryDevice(MemoryLedger& ledger, int64_t padding = 0) : ledger_(ledger), padding_(padding) {}

  Backend backend() const override { return Backend(7); }
  std::string name() const override { return "memory"; }
  Support supports(const Graph&, const Node&) const override { return {Reason::kOp, "memory only"}; }
  KernelInfo kernel_info(const Graph&, const Node&) const override { return {}; }
  std::unique_ptr<DeviceBuffer> allocate(int64_t bytes, MemoryTag tag, const std::string& what) override {
    ++n_allocations;
    return std::make_unique<HostBuffer>(ledger_, tag, bytes, what);
  }
  void write(const BufferRange& target, std::span<const std::byte> bytes) override {
    std::memcpy(bytes_at(target), bytes.data(), bytes.size());
  }
  void read(const BufferRange& source, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), bytes_at(source), bytes.size());
  }
  void copy(const BufferRange& target, const BufferRange& source) override {
    ASSERT_EQ(target.size_bytes, source.size_bytes);
    std::memcpy(bytes_at(target), bytes_at(source), static_cast<size_t>(source.size_bytes));
  }
  int64_t kv_block_bytes(const TensorDesc& block) const override { return block.size_bytes() + padding_; }
  void register_weights(const WeightBatch&) override {}
  bool has_weight(WeightId) const override { return false; }
  void execute_split(const SplitWork&, const AwaitStaged&) override {}
  bool begin_cross_copy(CrossCopy&) override { return false; }
  void finish_cross_copy(CrossCopy&) override {}
  void retire() override {}
  void synchronize() override {}

  int n_allocations = 0;

 private:
  MemoryLedger& ledger_;
  int64_t padding_;
};

// 64 positions of K and V, 4 values each, in 2 bytes: 1024 bytes.
const TensorDesc kBlock{DType::kF16, {64, 2, 4}};

// Fills every block with its own number.
void number_blocks(const BufferRange& range, int n_blocks) {
  const int64_t block_bytes = range.size_bytes / n_blocks;
  for (int i = 0; i < n_blocks; ++i)
    std::memset(bytes_at(range) + i * block_bytes, i, static_cast<size_t>(block_bytes));
}

// First and last byte of each block, as text: "00 11 22".
std::string digits(const BufferRange& range, int n_blocks) {
  const int64_t block_bytes = range.size_bytes / n_blocks;
  std::string out;
  for (int i = 0; i < n_blocks; ++i) {
    const std::byte* block = bytes_at(range) + i * block_bytes;
    if (i > 0) out += ' ';
    out += std::to_string(static_cast<int>(block[0])) + std::to_string(static_cast<int>(block[block_bytes - 1]));
  }
  return out;
}

TEST(KvMemory, AllocatesOneBufferPerLayerAndDeviceOnFirstUse) {
  MemoryLedger ledger;
  MemoryDevice first(ledger), second(ledger, 64);
  KvMemory memory(3);
  EXPECT_EQ(ledger.total(), 0u);
  const BufferRange a = memory.layer_buffer(0, 0, first, kBlock);
  EXPECT_EQ(a.offset_bytes, 0);
  EXPECT_EQ(a.size_bytes, 3 * 1024);
  EXPECT_EQ(a.buffer->size_bytes(), 3 * 1024);
  EXPECT_EQ(memory.layer_buffer(0, 0, first, kBlock).buffer, a.buffer);
  EXPECT_EQ(first.n_allocations, 1);
  EXPECT_NE(memory.layer_buffer(1, 0, first, kBlock).buffer, a.buffer);
  const BufferRange padded = memory.layer_buffer(0, 1, second, kBlock);
  EXPECT_EQ(padded.size_bytes, 3 * 1088);
  EXPECT_EQ(memory.size_bytes(), 2 * 3 * 1024 + 3 * 1088);
  EXPECT_EQ(ledger.bytes(MemoryTag::kKv), 9408u);
}

TEST(KvMemory, GivesItsMemoryBack) {
  MemoryLedger ledger;
  MemoryDevice device(ledger);
  { KvMemory(3).layer_buffer(0, 0, device, kBlock); }
  EXPECT_EQ(ledger.total(), 0u);
}

TEST(KvMemory, RefusalGivesTheLedgersNumbersAndMayBeTriedAgain) {
  MemoryLedger ledger(4000);
  MemoryDevice device(ledger);
  KvMemory memory(3);
  {
    const auto other = ledger.reserve(MemoryTag::kWeights, 1000, "weights");
    try {
      memory.layer_buffer(5, 0, device, kBlock);
      FAIL() << "3072 bytes do not fit behind 1000 of 4000";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      const std::string text = error.what();
      for (const char* part : {"KV blocks of layer 5", "3072", "1000", "4000"}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
      }
    }
  }
  EXPECT_EQ(memory.size_bytes(), 0);
  EXPECT_EQ(memory.layer_buffer(5, 0, device, kBlock).size_bytes, 3072);
}

TEST(KvMemory, CopiesBlocksInOrderInEveryLayerAndDevice) {
  MemoryLedger ledger;
  MemoryDevice first(ledger), second(ledger, 64);
  KvMemory memory(4);
  const BufferRange ranges[] = {memory.layer_buffer(0, 0, first, kBlock), memory.layer_buffer(7, 0, first, kBlock),
                                memory.layer_buffer(7, 1, second, kBlock)};
  for (const BufferRange& range : ranges) number_blocks(range, 4);
  const KvBlockCopy copies[] = {{1, 3}, {2, 1}};
  memory.copy_blocks(copies);
  for (const BufferRange& range : ranges) EXPECT_EQ(digits(range, 4), "00 22 22 11");
}

TEST(KvMemory, RefusesCopiesOutsideTheBlocksBeforeDoingAny) {
  MemoryLedger ledger;
  MemoryDevice device(ledger);
  KvMemory memory(4);
  const BufferRange range = memory.layer_buffer(0, 0, device, kBlock);
  number_blocks(range, 4);
  for (const KvBlockCopy bad : {KvBlockCopy{0, 4}, KvBlockCopy{4, 0}, KvBlockCopy{-1, 0}, KvBlockCopy{2, 2}}) {
    const KvBlockCopy copies[] = {{0, 1}, bad};
    EXPECT_THROW(memory.copy_blocks(copies), Error);
  }
  EXPECT_EQ(digits(range, 4), "00 11 22 33");
}

TEST(KvMemory, RefusesAnotherDescriptionOrDeviceForALayer) {
  MemoryLedger ledger;
  MemoryDevice first(ledger), second(ledger);
  KvMemory memory(4);
  memory.layer_buffer(0, 0, first, kBlock);
  EXPECT_THROW(memory.layer_buffer(0, 0, first, {DType::kF32, {64, 2, 4}}), Error);
  EXPECT_THROW(memory.layer_buffer(0, 0, second, kBlock), Error);
  EXPECT_THROW(KvMemory(0), Error);
}

TEST(KvMemory, SizesThatOverflowAreRefusedBeforeAllocating) {
  MemoryLedger ledger;
  MemoryDevice device(ledger, INT64_MAX / 2);
  KvMemory memory(4);
  EXPECT_THROW(memory.layer_buffer(0, 0, device, kBlock), Error);
  EXPECT_EQ(device.n_allocations, 0);
}

TEST(KvMemory, TotalCountsWholeBlocksOfAllLayers) {
  EXPECT_EQ(kv_cache_bytes(1024, 30, 0), 0);
  EXPECT_EQ(kv_cache_bytes(1024, 30, 1), 30720);
  EXPECT_EQ(kv_cache_bytes(1024, 30, 64), 30720);
  EXPECT_EQ(kv_cache_bytes(1024, 30, 65), 61440);
  EXPECT_THROW(kv_cache_bytes(INT64_MAX / 4, 5, 64), Error);
  EXPECT_THROW(kv_cache_bytes(1024, 30, INT64_MAX), Error);
  EXPECT_THROW(kv_cache_bytes(1024, 30, -1), Error);
}

}  // namespace
}  // namespace minfer
