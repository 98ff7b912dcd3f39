// Runs compiled graphs: owns one arena per device, which all graphs share, and the staging buffers.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/memory_ledger.h"
#include "runtime/compiled_graph.h"
#include "runtime/staging.h"

namespace minfer {

// The key/value blocks of a layer on a device: KvMemory::layer_buffer of the engine. `block` describes one block. The
// same question has the same answer as long as the executor lives.
using KvBinding = std::function<BufferRange(int layer, DeviceId id, Device& device, const TensorDesc& block)>;

// Sees an output of a node right after the node has run: the rows in use.
using TraceVisitor = std::function<void(const Node& node, ValueId output, std::span<const std::byte> bytes)>;

struct ExecutorOptions {
  bool sync_copies = false;  // copies between devices go through the host and block: the reference
  KvBinding kv;              // may be null for graphs without key/value blocks
};

struct ExecutorStats {
  int64_t arena_allocations = 0;  // since the executor was made
  int64_t arena_bytes = 0;        // now, on all devices
  int64_t staging_allocations = 0;
  int64_t staging_bytes = 0;
};

// For one thread. A step is: fill() every input of the graph, run(), read() its outputs; filling or running another
// graph in between makes those calls fail, since graphs share their memory. `devices` and `ledger` must outlive it.
class Executor {
 public:
  Executor(const DeviceSet& devices, MemoryLedger& ledger, ExecutorOptions options);

  // Host bytes of a graph input, from its first row on; they may be fewer than the capacity.
  void fill(const CompiledGraph& compiled, ValueId input, std::span<const std::byte> bytes);

  // Runs all nodes for the first `rows` rows. Throws kCancelled soon after `cancel` (may be null) is set, and what a
  // device throws; either way nothing is in flight afterwards and the executor can run again.
  void run(const CompiledGraph& compiled, int64_t rows, const std::atomic<bool>* cancel = nullptr);

  // The same node by node, waiting for each: slow. `visitor` sees every output but key/value blocks.
  void trace(const CompiledGraph& compiled, int64_t rows, const TraceVisitor& visitor,
             const std::atomic<bool>* cancel = nullptr);

  // Rows first_row … first_row+n_rows-1 of a graph output, after run(). `bytes` must be of exactly their size. Blocks.
  void read(const CompiledGraph& compiled, ValueId output, int64_t first_row, int64_t n_rows,
            std::span<std::byte> bytes);

  // Frees what is kept for a graph that will not run again.
  void forget(uint64_t uid);

  const CopyStats& copy_stats() const { return staging_.stats(); }
  ExecutorStats stats() const;

 private:
  struct Step {
    const CompiledGraph& compiled;
    std::span<const Split> splits;
    int64_t rows;
    const std::atomic<bool>* cancel;
    const TraceVisitor* visitor;  // null: nothing is read back
  };

  // What a split sees of memory, and what its device has made of that.
  struct Binding {
    std::vector<BufferRange> buffers;  // [value]; empty ranges for values that it does not touch
    std::shared_ptr<void> prepared;
  };
  // Of all splits of a graph; valid as long as that stays where it is and no memory is allocated anew.
  struct GraphBindings {
    const Graph* graph = nullptr;
    int64_t n_allocations = 0;
    std::vector<Binding> splits;
  };

  void prepare(const CompiledGraph& compiled);
  void expect_ready(const CompiledGraph& compiled, int64_t rows) const;
  void run_step(const Step& step);
  void run_splits(const Step& step);
  void begin_copies(const Step& step, const Split& split);
  void execute(const Step& step, const Split& split);
  Binding& binding_of(const Step& step, const Split& split);
  Binding bind(const Step& step, const Split& split) const;
  void visit(const Step& step, const Split& split);
  void recover() noexcept;

  BufferRange place_of(const CompiledGraph& compiled, ValueId value) const;
  BufferRange rows_of(const CompiledGraph& compiled, ValueId value, int64_t first_row, int64_t n_rows) const;
  BufferRange kv_blocks(const CompiledGraph& compiled, ValueId value, DeviceId device) const;

  const DeviceSet& devices_;
  ExecutorOptions options_;
  std::vector<std::unique_ptr<DeviceBuffer>> arenas_;  // [device]; null until a plan needs it
  int64_t arena_allocations_ = 0;
  Staging staging_;

  std::unordered_map<uint64_t, GraphBindings> bindings_;  // [uid]: graphs that a cache gave a uid
  Binding passing_binding_;                               // of a split that is run once
  uint64_t filled_uid_ = 0;                               // graph that filled_ speaks of
  std::vector<bool> filled_;                              // [value]; empty: nothing is filled
  bool has_results_ = false;                              // graph filled_uid_ has run and nothing was filled since
};

}  // namespace minfer
