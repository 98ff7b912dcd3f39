// One node, bound to host memory, as the CPU's ops see it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/weight_view.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "graph/graph.h"

namespace minfer::cpu {

inline constexpr size_t kMaxOperands = 8;

struct NodeRun {
  const Graph* graph = nullptr;
  const Node* node = nullptr;
  const KernelTable* kernels = nullptr;
  int64_t rows = 0;                                     // rows in use
  std::array<const std::byte*, kMaxOperands> inputs{};  // [inputs of the node]
  std::array<WeightView, kMaxOperands> weights{};
  std::array<std::byte*, kMaxOperands> outputs{};
  std::byte* scratch = nullptr;  // of OpImpl::scratch_bytes, shared by the workers; null: do without
  const std::atomic<bool>* cancel = nullptr;  // may be null

  // Throws kCancelled when the caller has asked to stop. One load: ops call it before every tile of work, so that no
  // more than some ten milliseconds pass between two calls.
  void check_cancelled() const {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) fail(ErrorCode::kCancelled, "cancelled");
  }

  const TensorDesc& input_desc(size_t i) const { return graph->value(node->inputs[i]).desc; }
  const TensorDesc& weight_desc(size_t i) const { return graph->weights().at(node->weights[i]).desc; }
  const TensorDesc& output_desc(size_t i) const { return graph->value(node->outputs[i]).desc; }

  const float* input_f32(size_t i) const { return reinterpret_cast<const float*>(inputs[i]); }
  const int32_t* input_i32(size_t i) const { return reinterpret_cast<const int32_t*>(inputs[i]); }
  const WeightView& weight(size_t i) const { return weights[i]; }
  // A vector: always raw.
  const float* weight_f32(size_t i) const { return reinterpret_cast<const float*>(weights[i].data); }
  float* output_f32(size_t i) const { return reinterpret_cast<float*>(outputs[i]); }
};

// A worker's share of a node: thread `index` of `count`.
struct Share {
  int index = 0;
  int count = 1;
  std::byte* panel_scratch = nullptr;  // the worker's own: room for a panel of any raw matrix whose kernels read panels

  Region* region = nullptr;  // null: alone

  // Returns when all workers have come here, with what they wrote before visible. For ops with scratch; all shares of a
  // node must call it the same number of times.
  void meet() const {
    if (region != nullptr) region->barrier();
  }

  struct Range {
    int64_t begin;
    int64_t end;
  };
  // This share of 0 … n-1: contiguous, sizes differ by one at most.
  Range of(int64_t n) const { return {n * index / count, n * (index + 1) / count}; }
};

// Work of one tile: what the slowest kernels do in about ten milliseconds.
inline constexpr int64_t kTileElements = 1 << 17;  // of an elementwise op
inline constexpr int64_t kTileProducts = 1 << 23;  // of a matmul

// Calls compute(begin, end) for tiles of at most `tile` units that make up this worker's share of 0 … n-1. Before each,
// a cancelled run ends.
template <typename Compute>
void for_each_tile(const NodeRun& r, Share share, int64_t n, int64_t tile, Compute compute) {
  const auto [begin, end] = share.of(n);
  for (int64_t at = begin; at < end; at += tile) {
    r.check_cancelled();
    compute(at, std::min(at + tile, end));
  }
}

}  // namespace minfer::cpu
