#include "graph/weight_table.h"

#include "base/error.h"

namespace minfer {

WeightId WeightTable::add(std::string name, TensorDesc desc, int layer) {
  const auto id = static_cast<WeightId>(weights_.size());
  check(by_name_.emplace(name, id).second, "[weights] '{}' is added twice", printable(name));
  weights_.push_back({id, std::move(name), std::move(desc), layer});
  return id;
}

WeightId WeightTable::find(std::string_view name) const {
  const auto it = by_name_.find(std::string(name));
  return it == by_name_.end() ? kNone : it->second;
}

const WeightInfo& WeightTable::at(WeightId id) const {
  check(id >= 0 && static_cast<size_t>(id) < weights_.size(), "[weights] no weight has the index {}", id);
  return weights_[static_cast<size_t>(id)];
}

}  // namespace minfer
