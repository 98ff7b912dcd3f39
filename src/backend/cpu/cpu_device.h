// The CPU as a device: host memory, a split run in one parallel region.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/node_run.h"
#include "backend/cpu/weight_store.h"
#include "backend/device.h"
#include "backend/device_options.h"
#include "backend/registry.h"

namespace minfer::cpu {

// Host memory of a range of a CPU buffer.
std::byte* host_pointer(const BufferRange& range);

class CpuDevice final : public Device {
 public:
  // What `context` refers to must outlive the device. Weights are interleaved if `repack`, for kernels that want it.
  CpuDevice(const DeviceContext& context, const IsaChoice& isa, bool repack)
      : context_(context),
        isa_(isa.name),
        kernels_(*isa.kernels),
        weights_(context.pool, context.ledger, kernels_, repack) {}

  Backend backend() const override { return kBackendCpu; }
  std::string name() const override { return "cpu"; }
  std::string summary() const override;
  Support supports(const Graph& graph, const Node& node) const override;
  KernelInfo kernel_info(const Graph& graph, const Node& node) const override;
  std::unique_ptr<DeviceBuffer> allocate(int64_t bytes, MemoryTag tag, const std::string& what) override;
  void write(const BufferRange& target, std::span<const std::byte> bytes) override;
  void read(const BufferRange& source, std::span<std::byte> bytes) override;
  void copy(const BufferRange& target, const BufferRange& source) override;
  int64_t kv_block_bytes(const TensorDesc& block) const override { return block.size_bytes(); }
  void register_weights(const WeightBatch& batch) override { weights_.add(batch); }
  bool has_weight(WeightId id) const override { return weights_.view(id).data != nullptr; }
  void execute_split(const SplitWork& work, const AwaitStaged& await) override;
  // A copy from host memory is done when this returns: the destination orders it on its own stream.
  bool begin_cross_copy(CrossCopy& copy) override;
  void finish_cross_copy(CrossCopy&) override {}
  void retire() override {}
  void synchronize() override {}

 private:
  NodeRun bind(const SplitWork& work, NodeId id) const;

  DeviceContext context_;
  std::string isa_;
  const KernelTable& kernels_;
  WeightStore weights_;
};

// The CPU's entry for a registry: always available, one device. Throws kInvalidArgument for an instruction set that
// this machine does not have.
BackendEntry cpu_backend_entry(const DeviceOptions& options = {});

}  // namespace minfer::cpu
