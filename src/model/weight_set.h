// Collects the weights that a model uses, checks each against the file, and knows which tensors nobody asked for.
// The resulting table is the one list that registration and the devices' participation gate read.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "gguf/gguf_model.h"
#include "graph/weight_table.h"

namespace minfer {

class WeightSet {
 public:
  // `file` must outlive the set.
  explicit WeightSet(const GgufModel& file) : file_(file) {}

  // A matrix [out, in] of any type with a kernel. Throws kBadFile when it is missing or of another shape, kUnsupported
  // for its type; all name the tensor.
  WeightId matrix(const std::string& name, int64_t out, int64_t in, int layer);
  // A vector of f32. Throws likewise.
  WeightId vector(const std::string& name, int64_t n, int layer);
  // The same where the file may lack it: then kNone.
  WeightId optional_matrix(const std::string& name, int64_t out, int64_t in, int layer);
  WeightId optional_vector(const std::string& name, int64_t n, int layer);

  // Throws kUnsupported listing every tensor of the file that was not asked for.
  void check_all_consumed() const;

  const WeightTable& table() const { return table_; }
  // Where each weight lies in the file, by id.
  const std::vector<const GgufTensor*>& tensors() const { return tensors_; }

 private:
  WeightId take(const std::string& name, const Shape& shape, int layer, bool required, bool vector);

  const GgufModel& file_;
  WeightTable table_;
  std::vector<const GgufTensor*> tensors_;  // [WeightId]
};

}  // namespace minfer
