#include "model/weight_set.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {
namespace {

constexpr size_t kMaxListed = 64;

}  // namespace

WeightId WeightSet::matrix(const std::string& name, int64_t out, int64_t in, int layer) {
  return take(name, {out, in}, layer, true, false);
}

WeightId WeightSet::vector(const std::string& name, int64_t n, int layer) {
  return take(name, {n}, layer, true, true);
}

WeightId WeightSet::optional_matrix(const std::string& name, int64_t out, int64_t in, int layer) {
  return take(name, {out, in}, layer, false, false);
}

WeightId WeightSet::optional_vector(const std::string& name, int64_t n, int layer) {
  return take(name, {n}, layer, false, true);
}

WeightId WeightSet::take(const std::string& name, const Shape& shape, int layer, bool required, bool vector) {
  const GgufTensor* tensor = file_.find_tensor(name);
  if (tensor == nullptr) {
    if (!required) return kNone;
    fail(ErrorCode::kBadFile, "[model] the file has no tensor '{}', expected {}", name, shape.to_string());
  }
  if (tensor->desc.shape != shape) {
    fail(ErrorCode::kBadFile, "[model] tensor '{}' has shape {}, expected {}", name, tensor->desc.shape.to_string(),
         shape.to_string());
  }
  const DTypeInfo& type = dtype_info(tensor->desc.dtype);
  if (vector && tensor->desc.dtype != DType::kF32) {
    fail(ErrorCode::kUnsupported, "[model] tensor '{}' has type {}: norms and biases must be F32", name, type.name);
  }
  if (!type.has_codec) {
    fail(ErrorCode::kUnsupported, "[model] tensor '{}' has type {}, for which this build has no kernels", name,
         type.name);
  }
  const WeightId id = table_.add(name, tensor->desc, layer);
  tensors_.push_back(tensor);
  return id;
}

void WeightSet::check_all_consumed() const {
  std::vector<std::string> unknown;
  for (const GgufTensor& tensor : file_.tensors()) {
    if (table_.find(tensor.name) == kNone) unknown.push_back("'" + printable(tensor.name) + "'");
  }
  if (unknown.empty()) return;
  const size_t more = unknown.size() > kMaxListed ? unknown.size() - kMaxListed : 0;
  unknown.resize(unknown.size() - more);
  fail(ErrorCode::kUnsupported,
       "[model] this architecture does not use {} tensor(s) of the file; refusing rather than ignoring them: {}{}",
       unknown.size() + more, fmt::join(unknown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace minfer
