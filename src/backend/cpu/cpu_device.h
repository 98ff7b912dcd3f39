// The CPU as a device: host memory, weights as views of the mapped file, a split run in one parallel region.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/node_run.h"
#include "backend/device.h"
#include "backend/registry.h"

namespace minfer::cpu {

// Host memory of a range of a CPU buffer.
std::byte* host_pointer(const BufferRange& range);

class CpuDevice final : public Device {
 public:
  // `kernels` and what `context` refers to must outlive the device.
  CpuDevice(const DeviceContext& context, const KernelTable& kernels) : context_(context), kernels_(kernels) {}

  Backend backend() const override { return kBackendCpu; }
  std::string name() const override { return "cpu"; }
  Support supports(const Graph& graph, const Node& node) const override;
  KernelInfo kernel_info(const Graph& graph, const Node& node) const override;
  std::unique_ptr<DeviceBuffer> allocate(int64_t bytes, MemoryTag tag, const std::string& what) override;
  void write(const BufferRange& target, std::span<const std::byte> bytes) override;
  void read(const BufferRange& source, std::span<std::byte> bytes) override;
  void copy(const BufferRange& target, const BufferRange& source) override;
  int64_t kv_block_bytes(const TensorDesc& block) const override { return block.size_bytes(); }
  void register_weight(const WeightInfo& info, std::span<const std::byte> data) override;
  bool has_weight(WeightId id) const override { return weight(id) != nullptr; }
  void execute_split(const SplitWork& work, const AwaitStaged& await) override;
  // A copy from host memory is done when this returns: the destination orders it on its own stream.
  bool begin_cross_copy(CrossCopy& copy) override;
  void finish_cross_copy(CrossCopy&) override {}
  void retire() override {}
  void synchronize() override {}

 private:
  const std::byte* weight(WeightId id) const;
  NodeRun bind(const SplitWork& work, NodeId id) const;

  DeviceContext context_;
  const KernelTable& kernels_;
  std::vector<const std::byte*> weights_;  // [WeightId]; null: not registered
};

// The CPU's entry for a registry: always available, one device.
BackendEntry cpu_backend_entry();

}  // namespace minfer::cpu
