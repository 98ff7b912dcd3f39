// The weights of a loaded model as devices read them: from the files that it lies in.
#pragma once

#include "backend/weight_source.h"
#include "model/model.h"

namespace minfer {

class ModelWeights final : public WeightSource {
 public:
  // `model` must outlive it.
  explicit ModelWeights(const Model& model) : model_(model) {}

  std::span<const std::byte> view(WeightId id) const override { return model_.weight_tensor(id).data; }
  // By pread, so that no page of the mapping is touched. kIo, naming the tensor, also when the file is no longer the
  // one whose index was read: of another size, or written to.
  void read(WeightId id, int64_t offset, std::span<std::byte> out) const override;
  uint64_t position(WeightId id) const override;

  // Throws as read() does, without reading.
  void check_unchanged(WeightId id) const;

 private:
  const MappedFile& file_of(const GgufTensor& tensor) const;

  const Model& model_;
};

}  // namespace minfer
