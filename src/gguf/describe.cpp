// Collects the summary of a model file.
#include "gguf/describe.h"

#include <algorithm>

#include "gguf/file_type.h"

namespace minfer {
namespace {

constexpr uint64_t kFirstShown = 5;
constexpr uint64_t kLastShown = 3;

std::optional<std::string> text_or_nothing(const GgufMetadata& metadata, std::string_view key) {
  const GgufValue* value = metadata.find(key);
  if (value == nullptr || value->type != GgufType::kString) return std::nullopt;
  return std::string(std::get<std::string_view>(value->scalar()));
}

// Some architectures state a number per layer, as an array: nothing then.
std::optional<uint64_t> count_or_nothing(const GgufMetadata& metadata, const std::string& key) {
  const GgufValue* value = metadata.find(key);
  if (value == nullptr) return std::nullopt;
  if (is_unsigned(value->type)) return metadata.find_u64(key);
  if (!is_signed(value->type)) return std::nullopt;
  const int64_t number = metadata.get_i64(key);
  return number < 0 ? std::nullopt : std::optional<uint64_t>(number);
}

std::optional<std::string> file_type_or_nothing(const GgufMetadata& metadata) {
  const std::optional<uint64_t> number = count_or_nothing(metadata, "general.file_type");
  if (!number || file_type_name(*number).empty()) return std::nullopt;
  return std::string(file_type_name(*number));
}

std::optional<uint64_t> array_size_or_nothing(const GgufMetadata& metadata, std::string_view key) {
  const GgufValue* value = metadata.find(key);
  if (value == nullptr || !value->is_array()) return std::nullopt;
  return value->count;
}

void add_hyper_parameters(const GgufMetadata& metadata, ModelSummary& summary) {
  if (!summary.architecture) return;
  const std::string prefix = *summary.architecture + ".";
  summary.n_layers = count_or_nothing(metadata, prefix + "block_count");
  summary.context_length = count_or_nothing(metadata, prefix + "context_length");
  summary.n_embd = count_or_nothing(metadata, prefix + "embedding_length");
  summary.n_ff = count_or_nothing(metadata, prefix + "feed_forward_length");
  summary.n_heads = count_or_nothing(metadata, prefix + "attention.head_count");
  summary.n_kv_heads = count_or_nothing(metadata, prefix + "attention.head_count_kv");
  if (!summary.n_kv_heads && !metadata.has(prefix + "attention.head_count_kv")) summary.n_kv_heads = summary.n_heads;
  summary.head_dim = count_or_nothing(metadata, prefix + "attention.key_length");
  if (!summary.head_dim && summary.n_embd && summary.n_heads.value_or(0) > 0) {
    summary.head_dim = *summary.n_embd / *summary.n_heads;
  }
  const GgufValue* base = metadata.find(prefix + "rope.freq_base");
  if (base != nullptr && is_float(base->type)) summary.rope_freq_base = metadata.get_f64(prefix + "rope.freq_base");
}

void add_tokenizer(const GgufMetadata& metadata, ModelSummary& summary) {
  summary.tokenizer_model = text_or_nothing(metadata, "tokenizer.ggml.model");
  summary.tokenizer_pre = text_or_nothing(metadata, "tokenizer.ggml.pre");
  summary.n_vocab = array_size_or_nothing(metadata, "tokenizer.ggml.tokens");
  const GgufValue* chat_template = metadata.find("tokenizer.chat_template");
  if (chat_template != nullptr && chat_template->type == GgufType::kString) {
    summary.chat_template_bytes = chat_template->payload.size();
  }
}

void add_tensors(const GgufModel& model, ModelSummary& summary) {
  for (const GgufTensor& tensor : model.tensors()) {
    const auto n_elements = static_cast<uint64_t>(tensor.desc.shape.n_elements());
    auto found = std::find_if(summary.types.begin(), summary.types.end(),
                              [&](const TypeSummary& type) { return type.dtype == tensor.desc.dtype; });
    if (found == summary.types.end()) found = summary.types.insert(found, TypeSummary{tensor.desc.dtype, 0, 0, 0});
    found->n_tensors += 1;
    found->n_elements += n_elements;
    found->size_bytes += tensor.size_bytes();
    summary.n_parameters += n_elements;
    summary.tensor_bytes += tensor.size_bytes();
  }
  std::stable_sort(summary.types.begin(), summary.types.end(),
                   [](const TypeSummary& a, const TypeSummary& b) { return a.size_bytes > b.size_bytes; });
}

}  // namespace

double ModelSummary::bits_per_weight() const {
  return n_parameters == 0 ? 0.0 : static_cast<double>(tensor_bytes) * 8.0 / static_cast<double>(n_parameters);
}

ModelSummary summarize(const GgufModel& model) {
  ModelSummary summary;
  for (size_t i = 0; i < model.parts().size(); ++i) {
    const GgufFile& part = model.parts()[i];
    summary.files.push_back({model.paths()[i], part.size_bytes(), part.tensors().size(), part.version()});
  }
  summary.file_bytes = model.file_bytes();
  summary.alignment = model.parts().front().alignment();
  const GgufMetadata& metadata = model.metadata();
  summary.architecture = text_or_nothing(metadata, "general.architecture");
  summary.name = text_or_nothing(metadata, "general.name");
  summary.license = text_or_nothing(metadata, "general.license");
  summary.file_type = file_type_or_nothing(metadata);
  add_hyper_parameters(metadata, summary);
  add_tokenizer(metadata, summary);
  add_tensors(model, summary);
  return summary;
}

ValuePreview preview(const GgufValue& value) {
  if (!value.is_array() || value.count <= kFirstShown + kLastShown) return {value.elements(0, value.count), {}};
  return {value.elements(0, kFirstShown), value.elements(value.count - kLastShown, kLastShown)};
}

}  // namespace minfer
