// A device for tests that behaves like an accelerator: its own poisoned memory, one stream with seeded random delays,
// copies that only start. It computes with the CPU's scalar reference, so that its bytes are the expected ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/device.h"
#include "backend/registry.h"
#include "tests/support/test_stream.h"

namespace minfer::test {

inline constexpr Backend kTestBackend{100};

// How a device may break the contract, so that tests see it refused.
enum class Fault : uint8_t {
  kNone,
  kNeverWaits,     // does not await what it reads
  kWaitsTwice,     // awaits every staged value twice
  kFailsInStream,  // the node called `fault_node` fails while the stream runs
  kFailsAtOnce,    // … fails when it is submitted
  kCopiesFail,     // the copy of a value fails in the stream
};

struct TestDeviceOptions {
  Backend backend = kTestBackend;
  int ordinal = 0;
  uint64_t seed = 0;
  int max_delay_us = 0;                         // before each piece of work, at random
  std::function<bool(const Node& node)> takes;  // what it runs; null: everything
  bool declines_copies = false;
  bool checks_weights = true;  // refuses nodes whose weights it does not have
  Fault fault = Fault::kNone;
  std::string fault_node;
  std::function<void()> on_submit;  // called before each node is submitted
};

class TestDevice final : public Device {
 public:
  explicit TestDevice(TestDeviceOptions options);
  ~TestDevice() override;

  // May be changed while nothing runs.
  TestDeviceOptions& options() { return options_; }

  Backend backend() const override { return options_.backend; }
  std::string name() const override;
  Support supports(const Graph& graph, const Node& node) const override;
  KernelInfo kernel_info(const Graph& graph, const Node& node) const override;
  // Poisoned, not zeroed: a value that is read before it is written is a NaN.
  std::unique_ptr<DeviceBuffer> allocate(int64_t bytes, MemoryTag tag, const std::string& what) override;
  void write(const BufferRange& target, std::span<const std::byte> bytes) override;
  void read(const BufferRange& source, std::span<std::byte> bytes) override;
  void copy(const BufferRange& target, const BufferRange& source) override;
  int64_t kv_block_bytes(const TensorDesc& block) const override { return block.size_bytes(); }
  void register_weights(const WeightBatch& batch) override;
  bool has_weight(WeightId id) const override { return weights_.contains(id); }
  void execute_split(const SplitWork& work, const AwaitStaged& await) override;
  bool begin_cross_copy(CrossCopy& copy) override;
  void finish_cross_copy(CrossCopy& copy) override;
  void retire() override { ++n_retired_; }
  void synchronize() override;

  int n_allocations() const { return n_allocations_; }
  int n_retired() const { return n_retired_; }
  int n_nodes_run() const { return n_nodes_run_; }

 private:
  void submit(const SplitWork& work, NodeId id);

  TestDeviceOptions options_;
  std::unordered_map<WeightId, std::vector<std::byte>> weights_;
  int n_allocations_ = 0;
  int n_retired_ = 0;
  int n_nodes_run_ = 0;
  std::unique_ptr<TestStream> stream_;  // last: its thread uses the rest
};

// A registry entry that opens one device per element; `opened` (may be null) receives them.
BackendEntry test_backend_entry(std::vector<TestDeviceOptions> devices, uint16_t priority,
                                std::vector<TestDevice*>* opened = nullptr);

}  // namespace minfer::test
