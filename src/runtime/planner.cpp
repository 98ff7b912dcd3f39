#include "runtime/planner.h"

#include <algorithm>

#include "base/error.h"
#include "runtime/liveness.h"

namespace minfer {
namespace {

constexpr int64_t kMaxValueBytes = int64_t{1} << 40;

// Memory of one value, or of several that are written one over the other.
struct Buffer {
  DeviceId device = kCpuDevice;
  NodeId first = 0;
  NodeId last = 0;
  int64_t size_bytes = 0;
  int64_t offset_bytes = 0;
};

bool meet(const Buffer& a, const Buffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

bool overlap(const Buffer& a, const Buffer& b) {
  return a.offset_bytes < b.offset_bytes + b.size_bytes && b.offset_bytes < a.offset_bytes + a.size_bytes;
}

int64_t aligned_bytes(const Graph& graph, const LiveInterval& interval) {
  if (interval.size_bytes >= kMaxValueBytes) {
    fail(ErrorCode::kOutOfMemory, "[planner] '{}' needs {} bytes: expected less than {}",
         graph.value(interval.value).name, interval.size_bytes, kMaxValueBytes);
  }
  return (interval.size_bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
}

class Planner {
 public:
  Planner(const Graph& graph, std::span<const DeviceId> device_of_node, int n_devices)
      : graph_(graph), buffer_of_(static_cast<size_t>(graph.n_values()), -1) {
    plan_.places.resize(static_cast<size_t>(graph.n_values()));
    plan_.arenas.resize(static_cast<size_t>(n_devices));
    intervals_ = live_intervals(graph, device_of_node);
  }

  MemoryPlan run() {
    make_buffers();
    for (size_t device = 0; device < plan_.arenas.size(); ++device) place_on(static_cast<DeviceId>(device));
    for (const LiveInterval& interval : intervals_) {
      const Buffer& buffer = buffers_[static_cast<size_t>(buffer_of_[static_cast<size_t>(interval.value)])];
      plan_.places[static_cast<size_t>(interval.value)] = {buffer.device, buffer.offset_bytes, interval.size_bytes};
    }
    return std::move(plan_);
  }

 private:
  // In execution order, so that a chain of nodes that write in place ends in one buffer.
  void make_buffers() {
    std::vector<const LiveInterval*> interval_of(static_cast<size_t>(graph_.n_values()), nullptr);
    for (const LiveInterval& interval : intervals_) {
      interval_of[static_cast<size_t>(interval.value)] = &interval;
      if (graph_.value(interval.value).kind == ValueKind::kInput) add_buffer(interval);
    }
    for (const Node& node : graph_.nodes()) {
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        const LiveInterval* output = interval_of[static_cast<size_t>(node.outputs[i])];
        if (output == nullptr) continue;
        const LiveInterval* input = node.inputs.empty() ? nullptr : interval_of[static_cast<size_t>(node.inputs[0])];
        if (i == 0 && input != nullptr && may_overwrite(node, *input, *output)) {
          share_buffer(*input, *output);
        } else {
          add_buffer(*output);
        }
      }
    }
  }

  bool may_overwrite(const Node& node, const LiveInterval& input, const LiveInterval& output) const {
    return op_def(node.op).in_place && graph_.value(input.value).kind == ValueKind::kActivation &&
           input.device == output.device && input.size_bytes == output.size_bytes && input.last == output.first &&
           std::count(node.inputs.begin(), node.inputs.end(), input.value) == 1;
  }

  void add_buffer(const LiveInterval& interval) {
    buffer_of_[static_cast<size_t>(interval.value)] = static_cast<int>(buffers_.size());
    buffers_.push_back({interval.device, interval.first, interval.last, aligned_bytes(graph_, interval), 0});
    ++plan_.arenas[static_cast<size_t>(interval.device)].n_buffers;
  }

  void share_buffer(const LiveInterval& input, const LiveInterval& output) {
    const int buffer = buffer_of_[static_cast<size_t>(input.value)];
    buffer_of_[static_cast<size_t>(output.value)] = buffer;
    buffers_[static_cast<size_t>(buffer)].last = output.last;
    ++plan_.arenas[static_cast<size_t>(input.device)].n_in_place;
  }

  void place_on(DeviceId device) {
    std::vector<Buffer*> order;
    for (Buffer& buffer : buffers_) {
      if (buffer.device == device) order.push_back(&buffer);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Buffer* a, const Buffer* b) { return a->size_bytes > b->size_bytes; });
    ArenaPlan& arena = plan_.arenas[static_cast<size_t>(device)];
    std::vector<Buffer*> placed;  // by offset
    for (Buffer* buffer : order) {
      buffer->offset_bytes = best_offset(*buffer, placed);
      arena.arena_bytes = std::max(arena.arena_bytes, buffer->offset_bytes + buffer->size_bytes);
      placed.insert(
          std::upper_bound(placed.begin(), placed.end(), buffer,
                           [](const Buffer* a, const Buffer* b) { return a->offset_bytes < b->offset_bytes; }),
          buffer);
    }
    arena.live_peak_bytes = live_peak(order);
    arena.n_reused = count_reused(order);
  }

  // The smallest gap between buffers that live at the same time; behind the last of them when none fits.
  static int64_t best_offset(const Buffer& buffer, const std::vector<Buffer*>& placed) {
    int64_t end = 0;
    int64_t best = -1;
    int64_t best_gap = 0;
    for (const Buffer* other : placed) {
      if (!meet(buffer, *other)) continue;
      const int64_t gap = other->offset_bytes - end;
      if (gap >= buffer.size_bytes && (best < 0 || gap < best_gap)) {
        best = end;
        best_gap = gap;
      }
      end = std::max(end, other->offset_bytes + other->size_bytes);
    }
    return best < 0 ? end : best;
  }

  int64_t live_peak(const std::vector<Buffer*>& buffers) const {
    // delta[i + 1]: bytes that begin or cease to live at node i, i = -1 … n_nodes + 1
    std::vector<int64_t> delta(static_cast<size_t>(graph_.n_nodes()) + 3, 0);
    for (const Buffer* buffer : buffers) {
      delta[static_cast<size_t>(buffer->first + 1)] += buffer->size_bytes;
      delta[static_cast<size_t>(buffer->last + 2)] -= buffer->size_bytes;
    }
    int64_t live = 0;
    int64_t peak = 0;
    for (int64_t change : delta) {
      live += change;
      peak = std::max(peak, live);
    }
    return peak;
  }

  static int count_reused(const std::vector<Buffer*>& buffers) {
    return static_cast<int>(std::count_if(buffers.begin(), buffers.end(), [&](const Buffer* buffer) {
      return std::any_of(buffers.begin(), buffers.end(),
                         [&](const Buffer* other) { return other->last < buffer->first && overlap(*other, *buffer); });
    }));
  }

  const Graph& graph_;
  std::vector<LiveInterval> intervals_;
  std::vector<Buffer> buffers_;
  std::vector<int> buffer_of_;  // [value]; -1: none
  MemoryPlan plan_;
};

}  // namespace

MemoryPlan plan_memory(const Graph& graph, std::span<const DeviceId> device_of_node, int n_devices) {
  return Planner(graph, device_of_node, n_devices).run();
}

}  // namespace minfer
