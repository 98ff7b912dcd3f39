#include "graph/graph.h"

namespace minfer {

ValueId Graph::find_value(std::string_view name) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].name == name) return static_cast<ValueId>(i);
  }
  return kNone;
}

std::vector<TensorDesc> Graph::input_descs(const Node& node) const {
  std::vector<TensorDesc> descs;
  for (ValueId id : node.inputs) descs.push_back(value(id).desc);
  return descs;
}

std::vector<TensorDesc> Graph::weight_descs(const Node& node) const {
  std::vector<TensorDesc> descs;
  for (WeightId id : node.weights) descs.push_back(weights_->at(id).desc);
  return descs;
}

std::vector<TensorDesc> Graph::output_descs(const Node& node) const {
  std::vector<TensorDesc> descs;
  for (ValueId id : node.outputs) descs.push_back(value(id).desc);
  return descs;
}

Cost Graph::cost(const Node& node, const CostInput& use) const {
  const std::vector<TensorDesc> inputs = input_descs(node);
  const std::vector<TensorDesc> weights = weight_descs(node);
  const std::vector<TensorDesc> outputs = output_descs(node);
  return op_def(node.op).cost({inputs, weights, node.params.get()}, outputs, use);
}

ValueId Graph::add_value(Value value) {
  const auto id = static_cast<ValueId>(values_.size());
  if (value.kind == ValueKind::kInput) inputs_.push_back(id);
  values_.push_back(std::move(value));
  return id;
}

NodeId Graph::add_node(Node node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  for (ValueId output : node.outputs) {
    check(output >= 0 && output < n_values(), "[graph] node '{}' has output {}, which does not exist", node.name,
          output);
    values_[static_cast<size_t>(output)].producer = id;
  }
  nodes_.push_back(std::move(node));
  return id;
}

}  // namespace minfer
