// Finds the parts of a split set and merges their indexes.
#include "gguf/gguf_model.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "gguf/split_name.h"

namespace minfer {
namespace {

// What the entry file says about the set; the prefix comes from its own name, never from inside the file.
SplitName require_first_part(const std::string& path, const GgufMetadata& metadata) {
  const uint64_t number = metadata.find_u64("split.no").value_or(0);
  // Some writers store 0 for a model in one file.
  const uint64_t count = std::max<uint64_t>(1, metadata.find_u64("split.count").value_or(1));
  const std::optional<SplitName> name = parse_split_name(path);
  if (number != 0) {
    fail(ErrorCode::kBadFile, "GGUF: split.no = {} — must load the first split (00001-of-{:05})", number, count);
  }
  if (!name && count > 1) {
    fail(ErrorCode::kBadFile,
         "GGUF: split.count = {}, but the file name '{}' does not end in -00001-of-{:05}.gguf; restore its name", count,
         printable(path), count);
  }
  if (name && name->count != count) {
    fail(ErrorCode::kBadFile, "GGUF: split count mismatch: filename implies {} parts, split.count = {}", name->count,
         count);
  }
  if (name && name->number != 1) {
    fail(ErrorCode::kBadFile, "GGUF: '{}' is named part {}, but split.no = 0 is the first; restore its name",
         printable(path), name->number);
  }
  return name.value_or(SplitName{path, 1, 1});
}

void require_part(const std::string& path, const GgufFile& part, const SplitName& set, uint32_t expected_number) {
  const auto number = part.metadata().find_u64("split.no").value_or(0);
  if (number != expected_number) {
    fail(ErrorCode::kBadFile, "GGUF: split {} has split.no={}, expected {}", printable(path), number, expected_number);
  }
  const auto count = part.metadata().find_u64("split.count").value_or(set.count);
  if (count != set.count) {
    fail(ErrorCode::kBadFile, "GGUF: split {} has split.count={}, expected {}", printable(path), count, set.count);
  }
}

// Sets state how many tensors all parts hold together.
void require_tensor_count(const GgufModel& model) {
  const auto expected = model.metadata().find_u64("split.tensors.count");
  if (expected && *expected != model.tensors().size()) {
    fail(ErrorCode::kBadFile,
         "GGUF: split.tensors.count = {}, but {} tensors were found in {} file(s); a part is damaged", *expected,
         model.tensors().size(), model.parts().size());
  }
}

}  // namespace

GgufModel GgufModel::open(const std::string& path) {
  GgufModel model;
  model.add_part(path, GgufFile::open(path));
  const SplitName set = require_first_part(path, model.metadata());
  for (uint32_t i = 1; i < set.count; ++i) {
    const std::string part_path = split_path(set.prefix, i + 1, set.count);
    GgufFile part = GgufFile::open(part_path);
    require_part(part_path, part, set, i);
    model.add_part(part_path, std::move(part));
  }
  require_tensor_count(model);
  return model;
}

void GgufModel::add_part(const std::string& path, GgufFile part) {
  const auto number = static_cast<uint32_t>(parts_.size());
  for (GgufTensor tensor : part.tensors()) {
    tensor.part = number;
    const auto [other, is_new] = index_.emplace(tensor.name, tensors_.size());
    if (!is_new) {
      fail(ErrorCode::kBadFile, "GGUF: duplicate tensor name '{}' in parts {} and {} of the split set",
           printable(tensor.name), tensors_[other->second].part, number);
    }
    tensors_.push_back(tensor);
  }
  paths_.push_back(path);
  parts_.push_back(std::move(part));
}

const GgufTensor* GgufModel::find_tensor(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

uint64_t GgufModel::file_bytes() const {
  uint64_t sum = 0;
  for (const GgufFile& part : parts_) sum += part.size_bytes();
  return sum;
}

uint64_t GgufModel::tensor_bytes() const {
  uint64_t sum = 0;
  for (const GgufTensor& tensor : tensors_) sum += tensor.size_bytes();
  return sum;
}

}  // namespace minfer
