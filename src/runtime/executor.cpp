#include "runtime/executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace minfer {
namespace {

void throw_if_cancelled(const std::atomic<bool>* cancel) {
  if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) {
    fail(ErrorCode::kCancelled, "[executor] the step was cancelled");
  }
}

}  // namespace

Executor::Executor(const DeviceSet& devices, MemoryLedger& ledger, ExecutorOptions options)
    : devices_(devices),
      options_(std::move(options)),
      arenas_(static_cast<size_t>(devices.size())),
      staging_(devices, ledger, options_.sync_copies) {}

void Executor::prepare(const CompiledGraph& compiled) {
  check(compiled.memory.arenas.size() == arenas_.size(),
        "[executor] the graph was compiled for {} devices, this executor has {}", compiled.memory.arenas.size(),
        arenas_.size());
  for (size_t id = 0; id < arenas_.size(); ++id) {
    const int64_t needed = compiled.memory.arenas[id].arena_bytes;
    std::unique_ptr<DeviceBuffer>& arena = arenas_[id];
    if (needed == 0 || (arena != nullptr && arena->size_bytes() >= needed)) continue;
    Device& device = devices_.device(static_cast<DeviceId>(id));
    arena.reset();
    arena = device.allocate(needed, MemoryTag::kActivations, fmt::format("activations on {}", device.name()));
    ++arena_allocations_;
  }
}

void Executor::fill(const CompiledGraph& compiled, ValueId input, std::span<const std::byte> bytes) {
  const Value& value = compiled.graph.value(input);
  check(value.kind == ValueKind::kInput, "[executor] '{}' is not an input of the graph", value.name);
  if (filled_.empty() || filled_uid_ != compiled.uid) {
    filled_.clear();
    prepare(compiled);
    filled_.assign(static_cast<size_t>(compiled.graph.n_values()), false);
    filled_uid_ = compiled.uid;
  }
  has_results_ = false;
  BufferRange target = place_of(compiled, input);
  check(static_cast<int64_t>(bytes.size()) <= target.size_bytes, "[executor] input '{}' holds {} bytes, got {}",
        value.name, target.size_bytes, bytes.size());
  target.size_bytes = static_cast<int64_t>(bytes.size());
  devices_.device(kCpuDevice).write(target, bytes);
  filled_[static_cast<size_t>(input)] = true;
}

void Executor::run(const CompiledGraph& compiled, int64_t rows, const std::atomic<bool>* cancel) {
  run_step({compiled, compiled.splits, rows, cancel, nullptr});
}

void Executor::trace(const CompiledGraph& compiled, int64_t rows, const TraceVisitor& visitor,
                     const std::atomic<bool>* cancel) {
  const std::vector<Split> splits = split_graph(compiled.graph, compiled.assignment.device, 1);
  run_step({compiled, splits, rows, cancel, &visitor});
}

void Executor::expect_ready(const CompiledGraph& compiled, int64_t rows) const {
  check(rows >= 1 && rows <= compiled.capacity, "[executor] the graph holds {} rows, the step has {}",
        compiled.capacity, rows);
  for (ValueId input : compiled.graph.inputs()) {
    const bool filled = !filled_.empty() && filled_uid_ == compiled.uid && filled_[static_cast<size_t>(input)];
    check(filled, "[executor] input '{}' was not filled before the step", compiled.graph.value(input).name);
  }
}

void Executor::run_step(const Step& step) {
  expect_ready(step.compiled, step.rows);
  prepare(step.compiled);
  has_results_ = false;
  filled_.clear();
  filled_uid_ = step.compiled.uid;
  try {
    run_splits(step);
  } catch (...) {
    recover();
    throw;
  }
  has_results_ = true;
}

void Executor::run_splits(const Step& step) {
  std::vector<bool> used(arenas_.size(), false);
  const Split* previous = nullptr;
  for (const Split& split : step.splits) {
    throw_if_cancelled(step.cancel);
    if (previous != nullptr && previous->device != split.device) devices_.device(previous->device).retire();
    begin_copies(step, split);
    execute(step, split);
    if (step.visitor != nullptr) visit(step, split);
    used[static_cast<size_t>(split.device)] = true;
    previous = &split;
  }
  staging_.drain();
  for (size_t id = 0; id < used.size(); ++id) {
    if (used[id]) devices_.device(static_cast<DeviceId>(id)).synchronize();
  }
  throw_if_cancelled(step.cancel);
}

void Executor::begin_copies(const Step& step, const Split& split) {
  const Graph& graph = step.compiled.graph;
  for (ValueId input : split.inputs) {
    const Place& place = step.compiled.memory.places[static_cast<size_t>(input)];
    staging_.copy_across(
        {step.compiled.uid, input, split.device},
        {place.device, rows_of(step.compiled, input, 0, step.rows), place.size_bytes, graph.value(input).name});
  }
}

void Executor::execute(const Step& step, const Split& split) {
  Binding& binding = binding_of(step, split);
  const uint64_t uid = step.compiled.uid;
  const SplitWork work{&step.compiled.graph, split.nodes,      binding.buffers, split.inputs, step.rows,
                       step.cancel,          &binding.prepared};
  devices_.device(split.device).execute_split(work, [&](ValueId value) {
    staging_.await_cross({uid, value, split.device});
  });
  throw_if_cancelled(step.cancel);
  // A device that never waited has read bytes in flight: this refuses.
  for (ValueId input : split.inputs) staging_.cross_input({uid, input, split.device});
}

Executor::Binding& Executor::binding_of(const Step& step, const Split& split) {
  const bool is_kept = step.compiled.uid != 0 && step.visitor == nullptr;
  if (!is_kept) {
    passing_binding_ = bind(step, split);
    return passing_binding_;
  }
  GraphBindings& kept = bindings_[step.compiled.uid];
  const int64_t n_allocations = arena_allocations_ + staging_.n_allocations();
  if (kept.graph != &step.compiled.graph || kept.n_allocations != n_allocations) {
    kept = {&step.compiled.graph, n_allocations, std::vector<Binding>(step.splits.size())};
  }
  Binding& binding = kept.splits[static_cast<size_t>(&split - step.splits.data())];
  if (binding.buffers.empty()) binding = bind(step, split);
  return binding;
}

Executor::Binding Executor::bind(const Step& step, const Split& split) const {
  const Graph& graph = step.compiled.graph;
  Binding binding{std::vector<BufferRange>(static_cast<size_t>(graph.n_values())), nullptr};
  const auto bind_value = [&](ValueId value) {
    binding.buffers[static_cast<size_t>(value)] = graph.value(value).kind == ValueKind::kKvCache
                                                      ? kv_blocks(step.compiled, value, split.device)
                                                      : place_of(step.compiled, value);
  };
  for (NodeId id : split.nodes) {
    for (ValueId input : graph.node(id).inputs) bind_value(input);
    for (ValueId output : graph.node(id).outputs) bind_value(output);
  }
  for (ValueId value : split.foreign) {
    binding.buffers[static_cast<size_t>(value)] = staging_.target({step.compiled.uid, value, split.device});
  }
  return binding;
}

void Executor::forget(uint64_t uid) {
  bindings_.erase(uid);
  staging_.forget(uid);
}

void Executor::visit(const Step& step, const Split& split) {
  Device& device = devices_.device(split.device);
  std::vector<std::byte> bytes;
  for (NodeId id : split.nodes) {
    const Node& node = step.compiled.graph.node(id);
    for (ValueId output : node.outputs) {
      if (step.compiled.graph.value(output).kind == ValueKind::kKvCache) continue;
      const BufferRange range = rows_of(step.compiled, output, 0, step.rows);
      bytes.resize(static_cast<size_t>(range.size_bytes));
      device.read(range, bytes);
      (*step.visitor)(node, output, bytes);
    }
  }
}

void Executor::recover() noexcept {
  for (DeviceId id = 0; id < devices_.size(); ++id) {
    try {
      devices_.device(id).synchronize();
    } catch (const std::exception&) {
      // The caller gets the first failure; what other devices report comes from it.
    }
  }
  staging_.abandon();
}

void Executor::read(const CompiledGraph& compiled, ValueId output, int64_t first_row, int64_t n_rows,
                    std::span<std::byte> bytes) {
  const std::vector<ValueId>& outputs = compiled.graph.outputs();
  check(std::find(outputs.begin(), outputs.end(), output) != outputs.end(),
        "[executor] value {} is not an output of the graph", output);
  check(has_results_ && filled_uid_ == compiled.uid,
        "[executor] '{}' is read, but its graph was not the last to be filled and run",
        compiled.graph.value(output).name);
  const BufferRange range = rows_of(compiled, output, first_row, n_rows);
  check(static_cast<int64_t>(bytes.size()) == range.size_bytes,
        "[executor] {} rows of '{}' are {} bytes, got room for {}", n_rows, compiled.graph.value(output).name,
        range.size_bytes, bytes.size());
  devices_.device(compiled.memory.places[static_cast<size_t>(output)].device).read(range, bytes);
}

BufferRange Executor::place_of(const CompiledGraph& compiled, ValueId value) const {
  const Place& place = compiled.memory.places[static_cast<size_t>(value)];
  check(place.device != kNone, "[executor] '{}' has no place in an arena", compiled.graph.value(value).name);
  return {arenas_[static_cast<size_t>(place.device)].get(), place.offset_bytes, place.size_bytes};
}

BufferRange Executor::rows_of(const CompiledGraph& compiled, ValueId value, int64_t first_row, int64_t n_rows) const {
  BufferRange range = place_of(compiled, value);
  const int64_t capacity = compiled.graph.value(value).desc.shape[0];
  check(first_row >= 0 && n_rows >= 1 && first_row <= capacity && n_rows <= capacity - first_row,
        "[executor] '{}' has {} rows: rows {} and {} more do not exist", compiled.graph.value(value).name, capacity,
        first_row, n_rows);
  const int64_t row_bytes = range.size_bytes / capacity;
  range.offset_bytes += first_row * row_bytes;
  range.size_bytes = n_rows * row_bytes;
  return range;
}

BufferRange Executor::kv_blocks(const CompiledGraph& compiled, ValueId value, DeviceId device) const {
  const Value& kv = compiled.graph.value(value);
  check(options_.kv != nullptr, "[executor] '{}' needs key/value blocks, but none were bound", kv.name);
  return options_.kv(kv.layer, device, devices_.device(device), kv.desc);
}

ExecutorStats Executor::stats() const {
  ExecutorStats stats;
  stats.arena_allocations = arena_allocations_;
  for (const std::unique_ptr<DeviceBuffer>& arena : arenas_) stats.arena_bytes += arena ? arena->size_bytes() : 0;
  stats.staging_allocations = staging_.n_allocations();
  stats.staging_bytes = staging_.size_bytes();
  return stats;
}

}  // namespace minfer
