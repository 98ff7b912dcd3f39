#include "engine/model_weights.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {
namespace {

// Runs `use`; its errors name the weight. By the table, whose texts are its own: the file's names may be gone with it.
template <typename Use>
void naming(const WeightInfo& weight, Use use) {
  try {
    use();
  } catch (const Error& error) {
    throw error.with_context(fmt::format("tensor '{}'", printable(weight.name)));
  }
}

}  // namespace

const MappedFile& ModelWeights::file_of(const GgufTensor& tensor) const {
  return *model_.file().parts()[tensor.part].mapped_file();
}

void ModelWeights::read(WeightId id, int64_t offset, std::span<std::byte> out) const {
  const GgufTensor& tensor = model_.weight_tensor(id);
  naming(model_.weights().at(id), [&] {
    const MappedFile& file = file_of(tensor);
    file.read_at(tensor.file_offset + static_cast<uint64_t>(offset), out);
    file.check_unchanged();
  });
}

uint64_t ModelWeights::position(WeightId id) const {
  const GgufTensor& tensor = model_.weight_tensor(id);
  uint64_t before = 0;
  for (uint32_t part = 0; part < tensor.part; ++part) before += model_.file().parts()[part].size_bytes();
  return before + tensor.file_offset;
}

void ModelWeights::check_unchanged(WeightId id) const {
  const GgufTensor& tensor = model_.weight_tensor(id);
  naming(model_.weights().at(id), [&] { file_of(tensor).check_unchanged(); });
}

}  // namespace minfer
