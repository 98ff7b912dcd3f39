// A model as it lies on disk: one GGUF file, or all parts of a split set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gguf/gguf_file.h"

namespace minfer {

// Movable; owns the mappings. What it hands out lives as long as this object.
class GgufModel {
 public:
  // Opens `path`; if it is the first part of a split set, the other parts beside it too. Errors: kNotFound (also for a
  // missing part), kInvalidArgument (not a regular file), kBadFile "GGUF: …".
  static GgufModel open(const std::string& path);

  // The metadata of part 0, which is that of the model.
  const GgufMetadata& metadata() const { return parts_.front().metadata(); }

  // All tensors, in the order of the parts and their indexes.
  std::span<const GgufTensor> tensors() const { return tensors_; }

  // nullptr when the file has no tensor of that name.
  const GgufTensor* find_tensor(std::string_view name) const;

  std::span<const GgufFile> parts() const { return parts_; }
  std::span<const std::string> paths() const { return paths_; }

  // Of all files, and of the tensors alone.
  uint64_t file_bytes() const;
  uint64_t tensor_bytes() const;

 private:
  GgufModel() = default;
  void add_part(const std::string& path, GgufFile part);

  std::vector<std::string> paths_;
  std::vector<GgufFile> parts_;
  std::vector<GgufTensor> tensors_;
  std::unordered_map<std::string_view, size_t> index_;
};

}  // namespace minfer
