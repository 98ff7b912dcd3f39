#include "engine/tokenizer_metadata.h"

#include <limits>

#include "base/error.h"

namespace minfer {
namespace {

std::optional<std::string> find_text(const GgufMetadata& metadata, std::string_view key) {
  const std::optional<std::string_view> text = metadata.find_string(key);
  return text ? std::optional<std::string>(std::string(*text)) : std::nullopt;
}

std::vector<int32_t> read_types(const GgufMetadata& metadata, std::string_view key) {
  std::vector<int32_t> types;
  if (!metadata.has(key)) return types;
  for (int64_t type : metadata.get_i64_array(key)) {
    if (type < 0 || type > std::numeric_limits<int32_t>::max()) {
      fail(ErrorCode::kBadFile, "GGUF: key '{}' holds the token type {}", key, type);
    }
    types.push_back(static_cast<int32_t>(type));
  }
  return types;
}

// A key of tokenizer.ggml. that older files have under another name.
std::optional<int64_t> find_either(const GgufMetadata& metadata, std::string_view name, std::string_view older) {
  const std::optional<int64_t> id = metadata.find_i64(fmt::format("tokenizer.ggml.{}", name));
  return id ? id : metadata.find_i64(fmt::format("tokenizer.ggml.{}", older));
}

}  // namespace

TokenizerSpec read_tokenizer_spec(const GgufMetadata& metadata) {
  if (!metadata.has("tokenizer.ggml.tokens")) {
    fail(ErrorCode::kNotFound, "the file has no vocabulary (tokenizer.ggml.tokens)");
  }
  TokenizerSpec spec;
  spec.model = find_text(metadata, "tokenizer.ggml.model");
  spec.pre = find_text(metadata, "tokenizer.ggml.pre");
  spec.tokens = metadata.get_string_array("tokenizer.ggml.tokens");
  spec.token_types = read_types(metadata, "tokenizer.ggml.token_type");
  if (metadata.has("tokenizer.ggml.scores")) spec.scores = metadata.get_f32_array("tokenizer.ggml.scores");
  if (metadata.has("tokenizer.ggml.merges")) spec.merges = metadata.get_string_array("tokenizer.ggml.merges");
  spec.bos_id = metadata.find_i64("tokenizer.ggml.bos_token_id");
  spec.eos_id = metadata.find_i64("tokenizer.ggml.eos_token_id");
  spec.eot_id = metadata.find_i64("tokenizer.ggml.eot_token_id");
  spec.eom_id = metadata.find_i64("tokenizer.ggml.eom_token_id");
  spec.unk_id = metadata.find_i64("tokenizer.ggml.unknown_token_id");
  spec.pad_id = metadata.find_i64("tokenizer.ggml.padding_token_id");
  spec.fim_pre_id = find_either(metadata, "fim_pre_token_id", "prefix_token_id");
  spec.fim_suf_id = find_either(metadata, "fim_suf_token_id", "suffix_token_id");
  spec.fim_mid_id = find_either(metadata, "fim_mid_token_id", "middle_token_id");
  spec.add_bos = metadata.find_bool("tokenizer.ggml.add_bos_token");
  spec.add_eos = metadata.find_bool("tokenizer.ggml.add_eos_token");
  spec.add_space_prefix = metadata.find_bool("tokenizer.ggml.add_space_prefix");
  spec.remove_extra_whitespaces = metadata.find_bool("tokenizer.ggml.remove_extra_whitespaces");
  return spec;
}

}  // namespace minfer
