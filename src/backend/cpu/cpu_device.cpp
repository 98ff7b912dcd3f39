#include "backend/cpu/cpu_device.h"

#include <fmt/format.h>

#include <cstring>

#include "backend/cpu/bound_split.h"
#include "backend/cpu/dispatch.h"
#include "backend/cpu/ops/op_table.h"
#include "base/error.h"

namespace minfer::cpu {
namespace {

class CpuBuffer final : public DeviceBuffer {
 public:
  CpuBuffer(MemoryLedger& ledger, MemoryTag tag, int64_t bytes, const std::string& what)
      : DeviceBuffer(bytes), memory_(ledger, tag, static_cast<size_t>(bytes), what) {}

  std::byte* data() { return memory_.data(); }

 private:
  TrackedBuffer memory_;
};

}  // namespace

std::byte* host_pointer(const BufferRange& range) {
  auto* buffer = dynamic_cast<CpuBuffer*>(range.buffer);
  check(buffer != nullptr, "[cpu] a buffer of another device was used as host memory");
  check(
      range.offset_bytes >= 0 && range.size_bytes >= 0 && range.offset_bytes <= buffer->size_bytes() - range.size_bytes,
      "[cpu] range {}+{} lies outside a buffer of {} bytes", range.offset_bytes, range.size_bytes,
      buffer->size_bytes());
  return buffer->data() + range.offset_bytes;
}

Support CpuDevice::supports(const Graph& graph, const Node& node) const {
  for (WeightId id : node.weights) {
    if (!has_weight(id)) {
      return {Reason::kWeight, fmt::format("weight '{}' is not registered", graph.weights().at(id).name)};
    }
  }
  return op_impl(node.op).supports(graph, node, kernels_);
}

std::string CpuDevice::summary() const {
  const auto mib = [](uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); };
  return fmt::format("{} kernels; weights: {:.1f} MiB interleaved, {:.1f} MiB as in the file", isa_,
                     mib(weights_.interleaved_bytes()), mib(weights_.raw_bytes()));
}

KernelInfo CpuDevice::kernel_info(const Graph& graph, const Node& node) const {
  KernelInfo info = op_impl(node.op).kernel_info(graph, node, kernels_);
  if (!node.weights.empty() && graph.weights().at(node.weights[0]).desc.shape.rank() == 2) {
    const bool is_interleaved = weights_.view(node.weights[0]).layout == WeightLayout::kInterleaved;
    info.layout = is_interleaved ? "interleaved" : "raw";
  }
  return info;
}

std::unique_ptr<DeviceBuffer> CpuDevice::allocate(int64_t bytes, MemoryTag tag, const std::string& what) {
  return std::make_unique<CpuBuffer>(context_.ledger, tag, bytes, what);
}

void CpuDevice::write(const BufferRange& target, std::span<const std::byte> bytes) {
  check(static_cast<int64_t>(bytes.size()) <= target.size_bytes, "[cpu] {} bytes do not fit a range of {}",
        bytes.size(), target.size_bytes);
  if (!bytes.empty()) std::memcpy(host_pointer(target), bytes.data(), bytes.size());
}

void CpuDevice::read(const BufferRange& source, std::span<std::byte> bytes) {
  check(static_cast<int64_t>(bytes.size()) <= source.size_bytes, "[cpu] a range of {} bytes has no {}",
        source.size_bytes, bytes.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), host_pointer(source), bytes.size());
}

void CpuDevice::copy(const BufferRange& target, const BufferRange& source) {
  check(target.size_bytes == source.size_bytes, "[cpu] copy between ranges of {} and {} bytes", source.size_bytes,
        target.size_bytes);
  std::memcpy(host_pointer(target), host_pointer(source), static_cast<size_t>(source.size_bytes));
}

NodeRun CpuDevice::bind(const SplitWork& work, NodeId id) const {
  const Node& node = work.graph->node(id);
  check(
      node.inputs.size() <= kMaxOperands && node.outputs.size() <= kMaxOperands && node.weights.size() <= kMaxOperands,
      "[cpu] node '{}' has more than {} operands", node.name, kMaxOperands);
  NodeRun run;
  run.graph = work.graph;
  run.node = &node;
  run.kernels = &kernels_;
  const auto pointer = [&](ValueId value) { return host_pointer(work.buffers[static_cast<size_t>(value)]); };
  for (size_t i = 0; i < node.inputs.size(); ++i) run.inputs[i] = pointer(node.inputs[i]);
  for (size_t i = 0; i < node.outputs.size(); ++i) run.outputs[i] = pointer(node.outputs[i]);
  for (size_t i = 0; i < node.weights.size(); ++i) run.weights[i] = weights_.view(node.weights[i]);
  return run;
}

void CpuDevice::execute_split(const SplitWork& work, const AwaitStaged& await) {
  std::shared_ptr<void> own;
  std::shared_ptr<void>& prepared = work.prepared != nullptr ? *work.prepared : own;
  if (prepared == nullptr) {
    prepared = std::make_shared<BoundSplit>(work, [&](NodeId id) { return bind(work, id); }, context_.ledger);
  }
  static_cast<BoundSplit*>(prepared.get())->run(context_.pool, work, await, [this](int thread) {
    return weights_.panel_scratch(thread);
  });
}

bool CpuDevice::begin_cross_copy(CrossCopy& copy) {
  const std::byte* source = host_pointer(copy.source);
  copy.destination->write(copy.target, {source, static_cast<size_t>(copy.source.size_bytes)});
  return true;
}

BackendEntry cpu_backend_entry(const DeviceOptions& options) {
  BackendEntry entry;
  entry.backend = kBackendCpu;
  entry.priority = known_backends()[kBackendCpu.id()].priority;
  entry.reads_packed_kv = false;
  entry.unavailable = [] { return std::optional<std::string>(); };
  entry.open_devices = [isa = select_isa(options.cpu_isa), repack = options.repack](const DeviceContext& context) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<CpuDevice>(context, isa, repack));
    return devices;
  };
  return entry;
}

}  // namespace minfer::cpu
