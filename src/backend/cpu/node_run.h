// One node, bound to host memory, as the CPU's ops see it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/weight_view.h"
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

  struct Range {
    int64_t begin;
    int64_t end;
  };
  // This share of 0 … n-1: contiguous, sizes differ by one at most.
  Range of(int64_t n) const { return {n * index / count, n * (index + 1) / count}; }
};

}  // namespace minfer::cpu
