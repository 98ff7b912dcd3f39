// The intermediate representation: nodes in execution order over typed values. It knows no device and holds no data.
// Rows in use, positions, block tables and windows are data that a step supplies, never structure.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/ids.h"
#include "graph/op.h"
#include "graph/weight_table.h"
#include "tensor/tensor_desc.h"

namespace minfer {

enum class ValueKind : uint8_t {
  kInput,       // filled by the host before the step
  kActivation,  // produced by a node, lives in the arena
  kKvCache,     // the persistent key/value blocks of one layer
};

struct Value {
  std::string name;
  TensorDesc desc;
  ValueKind kind = ValueKind::kActivation;
  NodeId producer = kNone;  // kNone for inputs
  int layer = kNone;        // the layer whose blocks a kKvCache value is
};

struct Node {
  OpId op{};
  std::string name;
  int layer = kNone;  // block index; kNone for embedding and head
  std::vector<ValueId> inputs;
  std::vector<WeightId> weights;
  std::vector<ValueId> outputs;
  std::shared_ptr<const OpParams> params;  // null for ops without parameters
};

class Graph {
 public:
  // `weights` must outlive the graph.
  explicit Graph(const WeightTable* weights) : weights_(weights) {}

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Value>& values() const { return values_; }
  const std::vector<ValueId>& inputs() const { return inputs_; }
  const std::vector<ValueId>& outputs() const { return outputs_; }
  const WeightTable& weights() const { return *weights_; }

  const Node& node(NodeId id) const { return nodes_[static_cast<size_t>(id)]; }
  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  int n_nodes() const { return static_cast<int>(nodes_.size()); }
  int n_values() const { return static_cast<int>(values_.size()); }

  // Value called `name`, or kNone.
  ValueId find_value(std::string_view name) const;

  // Descriptions of what a node reads and writes; the arguments of its op's shape rule and cost.
  std::vector<TensorDesc> input_descs(const Node& node) const;
  std::vector<TensorDesc> weight_descs(const Node& node) const;
  std::vector<TensorDesc> output_descs(const Node& node) const;
  Cost cost(const Node& node, const CostInput& use) const;

  ValueId add_value(Value value);
  // The node becomes the producer of its outputs, which must exist: else Error kInternal.
  NodeId add_node(Node node);
  void add_output(ValueId id) { outputs_.push_back(id); }

 private:
  const WeightTable* weights_;
  std::vector<Node> nodes_;
  std::vector<Value> values_;
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
};

// Parameters of `node` as the struct of its op.
template <typename T>
const T& params_as(const Node& node) {
  return static_cast<const T&>(*node.params);
}

// The same inside a shape rule, before the node has been verified: Error kInternal when they are missing or another
// op's.
template <typename T>
const T& params_as(const OpArgs& args) {
  const auto* params = dynamic_cast<const T*>(args.params);
  check(params != nullptr, "[graph] the node's parameters are missing or another op's");
  return *params;
}

}  // namespace minfer
