// Appends nodes to a graph. The ops' own headers (graph/ops/<name>.h) offer the functions that models call:
// `ValueId y = add(builder, x, residual)`.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace minfer {

class GraphBuilder {
 public:
  // Builds for at most `rows` rows a step.
  GraphBuilder(const WeightTable* weights, int64_t rows) : graph_(weights), rows_(rows) {}

  int64_t rows() const { return rows_; }
  const Graph& graph() const { return graph_; }
  const TensorDesc& desc(ValueId id) const { return graph_.value(id).desc; }
  const WeightInfo& weight(WeightId id) const { return graph_.weights().at(id); }

  // Nodes added from here on belong to this block (kNone: to none).
  void set_layer(int layer) { layer_ = layer; }
  int layer() const { return layer_; }

  // A value that the host fills before each step.
  ValueId input(std::string name, TensorDesc desc);

  // Appends a node whose outputs the op's shape rule gives; each is called `name`, or `name.1` and so on from the
  // second. `name` is prefixed with "blk.<layer>." inside a block. Output `kv_output` (kNone: none) is the layer's
  // key/value blocks. Throws what the shape rule throws.
  std::vector<ValueId> node(OpId op, const std::string& name, std::vector<ValueId> inputs,
                            std::vector<WeightId> weights = {}, std::shared_ptr<const OpParams> params = nullptr,
                            int kv_output = kNone);

  void output(ValueId id) { graph_.add_output(id); }

  Graph take() { return std::move(graph_); }

 private:
  Graph graph_;
  int64_t rows_;
  int layer_ = kNone;
};

}  // namespace minfer
