// A model file's summary as JSON.
#include <nlohmann/json.hpp>
#include <string>

#include "gguf/describe.h"

namespace minfer {
namespace {

using Json = nlohmann::ordered_json;

Json scalars_json(const std::vector<GgufScalar>& scalars) {
  Json out = Json::array();
  for (const GgufScalar& scalar : scalars) {
    std::visit([&out](const auto& value) { out.push_back(value); }, scalar);
  }
  return out;
}

Json value_json(const GgufValue& value) {
  Json out = {{"type", value.type_name()}};
  const ValuePreview shown = preview(value);
  if (!value.is_array()) {
    out["value"] = scalars_json(shown.first).front();
    return out;
  }
  out["count"] = value.count;
  out["first"] = scalars_json(shown.first);
  if (!shown.last.empty()) out["last"] = scalars_json(shown.last);
  return out;
}

template <typename T>
void set_if(Json& out, const char* key, const std::optional<T>& value) {
  if (value) out[key] = *value;
}

Json files_json(const ModelSummary& summary) {
  Json out = Json::array();
  for (const FileSummary& file : summary.files) {
    out.push_back(
        {{"path", file.path}, {"size_bytes", file.size_bytes}, {"tensors", file.n_tensors}, {"version", file.version}});
  }
  return out;
}

Json types_json(const ModelSummary& summary) {
  Json out = Json::array();
  for (const TypeSummary& type : summary.types) {
    out.push_back({{"type", dtype_name(type.dtype)},
                   {"tensors", type.n_tensors},
                   {"elements", type.n_elements},
                   {"size_bytes", type.size_bytes},
                   {"share", static_cast<double>(type.size_bytes) / static_cast<double>(summary.tensor_bytes)}});
  }
  return out;
}

void add_hyper_parameters(Json& out, const ModelSummary& summary) {
  set_if(out, "layers", summary.n_layers);
  set_if(out, "context_length", summary.context_length);
  set_if(out, "embedding_length", summary.n_embd);
  set_if(out, "feed_forward_length", summary.n_ff);
  set_if(out, "heads", summary.n_heads);
  set_if(out, "kv_heads", summary.n_kv_heads);
  set_if(out, "head_dim", summary.head_dim);
  set_if(out, "rope_freq_base", summary.rope_freq_base);
}

void add_tokenizer(Json& out, const ModelSummary& summary) {
  set_if(out, "tokenizer_model", summary.tokenizer_model);
  set_if(out, "tokenizer_pre", summary.tokenizer_pre);
  set_if(out, "vocabulary_size", summary.n_vocab);
  out["chat_template"] = summary.chat_template_bytes.has_value();
  set_if(out, "chat_template_bytes", summary.chat_template_bytes);
}

Json metadata_json(const GgufModel& model) {
  Json out = Json::object();
  for (const GgufMetadata::Entry& entry : model.metadata().entries()) {
    out[std::string(entry.key)] = value_json(entry.value);
  }
  return out;
}

Json tensors_json(const GgufModel& model) {
  Json out = Json::array();
  for (const GgufTensor& tensor : model.tensors()) {
    const auto dims = tensor.desc.shape.dims();
    out.push_back({{"name", tensor.name},
                   {"type", dtype_name(tensor.desc.dtype)},
                   {"shape", std::vector<int64_t>(dims.begin(), dims.end())},
                   {"size_bytes", tensor.size_bytes()},
                   {"part", tensor.part},
                   {"file_offset", tensor.file_offset}});
  }
  return out;
}

}  // namespace

std::string describe_json(const GgufModel& model, const DescribeOptions& options) {
  const ModelSummary summary = summarize(model);
  Json out = Json::object();
  out["files"] = files_json(summary);
  out["size_bytes"] = summary.file_bytes;
  out["version"] = summary.files.front().version;
  out["alignment"] = summary.alignment;
  set_if(out, "architecture", summary.architecture);
  set_if(out, "name", summary.name);
  set_if(out, "license", summary.license);
  set_if(out, "file_type", summary.file_type);
  out["parameters"] = summary.n_parameters;
  out["tensor_bytes"] = summary.tensor_bytes;
  out["bits_per_weight"] = summary.bits_per_weight();
  out["types"] = types_json(summary);
  add_hyper_parameters(out, summary);
  add_tokenizer(out, summary);
  if (options.metadata) out["metadata"] = metadata_json(model);
  if (options.tensors) out["tensors"] = tensors_json(model);
  constexpr bool kAsciiOnly = true;
  return out.dump(2, ' ', kAsciiOnly, Json::error_handler_t::replace);
}

}  // namespace minfer
