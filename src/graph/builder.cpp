#include "graph/builder.h"

#include <fmt/format.h>

namespace minfer {

ValueId GraphBuilder::input(std::string name, TensorDesc desc) {
  return graph_.add_value({std::move(name), std::move(desc), ValueKind::kInput, kNone, kNone});
}

std::vector<ValueId> GraphBuilder::node(OpId op, const std::string& name, std::vector<ValueId> inputs,
                                        std::vector<WeightId> weights, std::shared_ptr<const OpParams> params,
                                        int kv_output) {
  Node node;
  node.op = op;
  node.name = layer_ == kNone ? name : fmt::format("blk.{}.{}", layer_, name);
  node.layer = layer_;
  node.inputs = std::move(inputs);
  node.weights = std::move(weights);
  node.params = std::move(params);
  const std::vector<TensorDesc> in = graph_.input_descs(node);
  const std::vector<TensorDesc> w = graph_.weight_descs(node);
  const std::vector<TensorDesc> out = op_def(op).infer({in, w, node.params.get()});
  for (size_t i = 0; i < out.size(); ++i) {
    std::string value_name = i == 0 ? node.name : fmt::format("{}.{}", node.name, i);
    const bool is_kv = static_cast<int>(i) == kv_output;
    node.outputs.push_back(
        graph_.add_value({std::move(value_name), out[i], is_kv ? ValueKind::kKvCache : ValueKind::kActivation, kNone,
                          is_kv ? layer_ : kNone}));
  }
  std::vector<ValueId> outputs = node.outputs;
  graph_.add_node(std::move(node));
  return outputs;
}

}  // namespace minfer
