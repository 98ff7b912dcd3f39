#include "tests/support/test_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "backend/cpu/reference.h"
#include "base/error.h"

namespace minfer::test {
namespace {

// Reads as NaN in f16 and in f32.
void poison(std::vector<std::byte>& bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 2 == 0 ? std::byte{0xA5} : std::byte{0xFF};
}

std::vector<std::byte> poisoned(int64_t size) {
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  poison(bytes);
  return bytes;
}

class TestBuffer final : public DeviceBuffer {
 public:
  TestBuffer(int64_t size, const TestDevice* device) : DeviceBuffer(size), owner(device), memory(poisoned(size)) {}

  const TestDevice* owner;
  std::vector<std::byte> memory;
};

// Memory of a range for the stream of `device`.
std::byte* pointer(const BufferRange& range, const TestDevice* device) {
  auto* buffer = dynamic_cast<TestBuffer*>(range.buffer);
  check(buffer != nullptr && buffer->owner == device, "[{}] got memory of another device", device->name());
  check(
      range.offset_bytes >= 0 && range.size_bytes >= 0 && range.offset_bytes <= buffer->size_bytes() - range.size_bytes,
      "[{}] range {}+{} lies outside a buffer of {} bytes", device->name(), range.offset_bytes, range.size_bytes,
      buffer->size_bytes());
  return buffer->memory.data() + range.offset_bytes;
}

// What a copy to another device needs until it is finished.
struct Transfer {
  std::shared_ptr<TestEvent> event;
  std::vector<std::byte> slab;  // host bytes; empty between two test devices
};

}  // namespace

TestDevice::TestDevice(TestDeviceOptions options)
    : options_(std::move(options)), stream_(std::make_unique<TestStream>(options_.seed, options_.max_delay_us)) {}

TestDevice::~TestDevice() = default;

std::string TestDevice::name() const {
  return fmt::format("test:{}", options_.ordinal);
}

Support TestDevice::supports(const Graph& graph, const Node& node) const {
  for (WeightId id : node.weights) {
    if (options_.checks_weights && !has_weight(id)) {
      return {Reason::kWeight, fmt::format("weight '{}' is not registered", graph.weights().at(id).name)};
    }
  }
  if (options_.takes && !options_.takes(node)) return {Reason::kOp, "the test keeps it away"};
  return {};
}

KernelInfo TestDevice::kernel_info(const Graph&, const Node& node) const {
  return {std::string(op_def(node.op).name), "test"};
}

std::unique_ptr<DeviceBuffer> TestDevice::allocate(int64_t bytes, MemoryTag, const std::string&) {
  ++n_allocations_;
  return std::make_unique<TestBuffer>(bytes, this);
}

void TestDevice::write(const BufferRange& target, std::span<const std::byte> bytes) {
  check(static_cast<int64_t>(bytes.size()) <= target.size_bytes, "[{}] {} bytes do not fit a range of {}", name(),
        bytes.size(), target.size_bytes);
  std::byte* to = pointer(target, this);
  stream_->enqueue([to, snapshot = std::vector<std::byte>(bytes.begin(), bytes.end())] {
    std::copy(snapshot.begin(), snapshot.end(), to);
  });
}

void TestDevice::read(const BufferRange& source, std::span<std::byte> bytes) {
  check(static_cast<int64_t>(bytes.size()) <= source.size_bytes, "[{}] a range of {} bytes has no {}", name(),
        source.size_bytes, bytes.size());
  const std::byte* from = pointer(source, this);
  stream_->enqueue([from, bytes] { std::copy_n(from, bytes.size(), bytes.begin()); });
  stream_->record()->wait();
}

void TestDevice::copy(const BufferRange& target, const BufferRange& source) {
  std::byte* to = pointer(target, this);
  const std::byte* from = pointer(source, this);
  stream_->enqueue([to, from, size = source.size_bytes] { std::copy_n(from, size, to); });
}

void TestDevice::register_weights(const WeightBatch& batch) {
  for (WeightId id : batch.ids) {
    const WeightInfo& info = batch.table->at(id);
    std::vector<std::byte> bytes(static_cast<size_t>(info.desc.size_bytes()));
    batch.source->read(id, 0, bytes);
    check(weights_.emplace(id, std::move(bytes)).second, "[{}] weight '{}' is registered twice", name(), info.name);
  }
}

void TestDevice::execute_split(const SplitWork& work, const AwaitStaged& await) {
  std::set<ValueId> waiting(work.staged.begin(), work.staged.end());
  for (NodeId id : work.nodes) {
    if (options_.on_submit) options_.on_submit();
    if (work.cancel != nullptr && work.cancel->load()) fail(ErrorCode::kCancelled, "[{}] cancelled", name());
    for (ValueId input : work.graph->node(id).inputs) {
      if (waiting.erase(input) == 0 || options_.fault == Fault::kNeverWaits) continue;
      await(input);
      if (options_.fault == Fault::kWaitsTwice) await(input);
    }
    submit(work, id);
  }
}

void TestDevice::submit(const SplitWork& work, NodeId id) {
  const Node& node = work.graph->node(id);
  const bool faulty = node.name == options_.fault_node;
  if (faulty && options_.fault == Fault::kFailsAtOnce)
    fail(ErrorCode::kDevice, "[{}] node '{}' failed", name(), node.name);
  cpu::NodeRun run;
  run.graph = work.graph;
  run.node = &node;
  run.rows = work.rows;
  const auto at = [&](ValueId value) { return pointer(work.buffers[static_cast<size_t>(value)], this); };
  for (size_t i = 0; i < node.inputs.size(); ++i) run.inputs[i] = at(node.inputs[i]);
  for (size_t i = 0; i < node.outputs.size(); ++i) run.outputs[i] = at(node.outputs[i]);
  for (size_t i = 0; i < node.weights.size(); ++i) run.weights[i] = {weights_.at(node.weights[i]).data()};
  const bool fails = faulty && options_.fault == Fault::kFailsInStream;
  stream_->enqueue([run, fails, this] {
    if (fails) fail(ErrorCode::kDevice, "[{}] node '{}' failed in the stream", name(), run.node->name);
    cpu::run_node_reference(run);
  });
  ++n_nodes_run_;
}

bool TestDevice::begin_cross_copy(CrossCopy& copy) {
  if (options_.declines_copies) return false;
  auto* peer = dynamic_cast<TestDevice*>(copy.destination);
  if (peer == nullptr && copy.destination->backend() != kBackendCpu) return false;
  auto transfer = std::make_shared<Transfer>();
  const std::byte* from = pointer(copy.source, this);
  std::byte* to = nullptr;
  if (peer != nullptr) {
    to = pointer(copy.target, peer);
  } else {
    transfer->slab = poisoned(copy.source.size_bytes);
    to = transfer->slab.data();
    ++copy.stats->async_host_copies;
  }
  const bool fails = options_.fault == Fault::kCopiesFail;
  stream_->enqueue([=, size = copy.source.size_bytes, keep = transfer] {
    if (fails) fail(ErrorCode::kDevice, "[test] a copy failed in the stream");
    std::copy_n(from, size, to);
  });
  transfer->event = stream_->record();
  copy.state = transfer;
  return true;
}

void TestDevice::finish_cross_copy(CrossCopy& copy) {
  auto& transfer = *static_cast<Transfer*>(copy.state.get());
  if (auto* peer = dynamic_cast<TestDevice*>(copy.destination)) {
    peer->stream_->enqueue([event = transfer.event] { event->wait(); });
    ++copy.stats->stream_waits;
    return;
  }
  ++copy.stats->event_syncs;
  transfer.event->wait();
  copy.destination->write(copy.target, transfer.slab);
}

void TestDevice::synchronize() {
  stream_->synchronize();
}

BackendEntry test_backend_entry(std::vector<TestDeviceOptions> devices, uint16_t priority,
                                std::vector<TestDevice*>* opened) {
  BackendEntry entry;
  entry.backend = devices.empty() ? kTestBackend : devices[0].backend;
  entry.priority = priority;
  entry.open_devices = [devices = std::move(devices), opened](const DeviceContext&) {
    std::vector<std::unique_ptr<Device>> result;
    for (const TestDeviceOptions& options : devices) {
      auto device = std::make_unique<TestDevice>(options);
      if (opened != nullptr) opened->push_back(device.get());
      result.push_back(std::move(device));
    }
    return result;
  };
  return entry;
}

}  // namespace minfer::test
