// What the graph knows about an op: its shape rule, its validation, what it costs. One OpDef per row of op_list.inc,
// defined in graph/ops/<name>.cpp. Values are [rows, …]: dimension 0 counts the rows of the step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ids.h"
#include "tensor/tensor_desc.h"

namespace minfer {

enum class OpId : uint8_t {
#define MINFER_OP(name, Name) k##Name,
#include "graph/op_list.inc"
#undef MINFER_OP
};

inline constexpr int kNumOps = 0
#define MINFER_OP(name, Name) +1
#include "graph/op_list.inc"
#undef MINFER_OP
    ;

// Parameters of one node. An op with parameters derives its own struct in graph/ops/<name>.h.
struct OpParams {
  virtual ~OpParams() = default;
  // "eps=1e-06, groups=4": for exports and messages.
  virtual std::string text() const = 0;
};

// What a shape rule sees of a node.
struct OpArgs {
  std::span<const TensorDesc> inputs;
  std::span<const TensorDesc> weights;
  const OpParams* params = nullptr;  // null for ops without parameters
};

// How much of the capacity a step uses; costs depend on it.
struct CostInput {
  int64_t rows = 1;     // rows in use
  int64_t context = 1;  // positions that a row attends to, on average
};

// What a node moves and computes for one step.
struct Cost {
  int64_t weight_bytes = 0;
  int64_t read_bytes = 0;   // activations and KV
  int64_t write_bytes = 0;  // activations and KV
  int64_t flops = 0;        // a multiply and an add count as two; int8 products count alike

  Cost& operator+=(const Cost& other);
};

struct OpDef {
  std::string_view name;
  std::string_view maths;  // one line
  // Checks inputs, weights and parameters; returns the outputs. Throws kInternal with the op's name and the shapes.
  std::vector<TensorDesc> (*infer)(const OpArgs& args) = nullptr;
  // Cost with `args` as validated by infer and its result `outputs`.
  Cost (*cost)(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) = nullptr;
  // Output 0 may be written over input 0 when nothing else reads that input any more.
  bool in_place = false;
};

const OpDef& op_def(OpId op);

// One definition per op; each in graph/ops/<name>.cpp.
#define MINFER_OP(name, Name) const OpDef& op_##name();
#include "graph/op_list.inc"
#undef MINFER_OP

}  // namespace minfer
