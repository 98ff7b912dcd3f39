// The weights that one model instance uses: names, types and shapes, no data. Graph nodes and devices refer to a weight
// by its index here; the name is only the way to find it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/ids.h"
#include "tensor/tensor_desc.h"

namespace minfer {

struct WeightInfo {
  WeightId id = kNone;
  std::string name;   // the GGUF tensor name
  TensorDesc desc;    // slowest dimension first: a matrix is [out, in]
  int layer = kNone;  // block that owns it; kNone for embedding, final norm, output
};

class WeightTable {
 public:
  // Adds a weight. Throws kInternal when the name is already there.
  WeightId add(std::string name, TensorDesc desc, int layer);

  // Index of `name`, or kNone.
  WeightId find(std::string_view name) const;

  const WeightInfo& at(WeightId id) const;
  const std::vector<WeightInfo>& all() const { return weights_; }

 private:
  std::vector<WeightInfo> weights_;
  std::unordered_map<std::string, WeightId> by_name_;
};

}  // namespace minfer
