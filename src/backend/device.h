// The contract of an executor: memory, weights, running a split, and the two phases of a copy to another device.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/buffer.h"
#include "backend/copy_stats.h"
#include "backend/reason.h"
#include "backend/weight_source.h"
#include "base/memory_ledger.h"
#include "graph/graph.h"

namespace minfer {

// Dense index of a device in registration order; stands for (kind, ordinal). 0 is the CPU, which the host reads.
using DeviceId = int32_t;
inline constexpr DeviceId kCpuDevice = 0;

class Device;

// One split of a graph, ready to run: which nodes, and where each value that they touch lies on this device.
struct SplitWork {
  const Graph* graph = nullptr;
  std::span<const NodeId> nodes;         // in execution order
  std::span<const BufferRange> buffers;  // per value; empty ranges for values that this split does not touch
  std::span<const ValueId> staged;       // inputs that arrive by a staging copy: await each before its first reader
  int64_t rows = 0;                      // rows in use, at most the graph's capacity
  const std::atomic<bool>* cancel = nullptr;  // read between nodes; may be null
  // A place for what the device has worked out from graph, nodes, buffers and staged: empty at first, and the caller
  // empties it when one of these changes. Null: nothing can be kept.
  std::shared_ptr<void>* prepared = nullptr;
};

// Called by the executor, from one thread, before the first node that reads the staged value.
using AwaitStaged = std::function<void(ValueId)>;

// A transfer between two devices in progress. The source keeps what it needs to finish it in `state`.
struct CrossCopy {
  BufferRange source;
  Device* destination = nullptr;
  BufferRange target;           // on `destination`
  std::shared_ptr<void> state;  // the source's own: an event, a pinned slab
  CopyStats* stats = nullptr;
};

// How a node runs, for `minfer explain`.
struct KernelInfo {
  std::string kernel;       // "matmul_q4_1"
  std::string isa;          // "scalar"
  std::string layout = {};  // of the node's matrix: "interleaved", "raw"; "" without one
};

class Device {
 public:
  virtual ~Device() = default;

  virtual Backend backend() const = 0;
  // "cpu", "cuda:1".
  virtual std::string name() const = 0;
  // What it computes with and how it keeps its weights, for a log; may be empty.
  virtual std::string summary() const { return {}; }

  // The one authority on what this device can run. Pure; asked before and after fusion.
  virtual Support supports(const Graph& graph, const Node& node) const = 0;
  virtual KernelInfo kernel_info(const Graph& graph, const Node& node) const = 0;

  // Zeroed memory, or Error kOutOfMemory with the numbers. `what` names it in that error.
  virtual std::unique_ptr<DeviceBuffer> allocate(int64_t bytes, MemoryTag tag, const std::string& what) = 0;

  // Host bytes into device memory: ordered before work that is submitted later; `bytes` may be reused on return.
  virtual void write(const BufferRange& target, std::span<const std::byte> bytes) = 0;
  // Device bytes into host memory, after all submitted work. Blocks.
  virtual void read(const BufferRange& source, std::span<std::byte> bytes) = 0;
  // Copies inside the device's memory, ordered with its work. Ranges do not overlap.
  virtual void copy(const BufferRange& target, const BufferRange& source) = 0;

  // Bytes of one key/value block of a layer: `block` is the value description of kv_store's result.
  virtual int64_t kv_block_bytes(const TensorDesc& block) const = 0;

  // Takes a batch of weights, of which none is there already (kInternal). Throws kOutOfMemory before anything is read,
  // kCancelled, and what the source throws; then none of the batch is there.
  virtual void register_weights(const WeightBatch& batch) = 0;
  virtual bool has_weight(WeightId id) const = 0;

  // Runs (or submits) all nodes of a split. Throws the first failure, naming the node.
  virtual void execute_split(const SplitWork& work, const AwaitStaged& await) = 0;

  // Phase A: starts the transfer; false when this device declines, and the caller makes the round trip through the
  // host. Never blocks on the device.
  virtual bool begin_cross_copy(CrossCopy& copy) = 0;
  // Phase B: afterwards `copy.target` may be read by work submitted to the destination (by the host, if that is the
  // CPU).
  virtual void finish_cross_copy(CrossCopy& copy) = 0;

  // The scheduler leaves this device for another: closes what is open, without waiting for it.
  virtual void retire() = 0;
  // Waits until all submitted work is done. Throws what failed in it.
  virtual void synchronize() = 0;
};

}  // namespace minfer
