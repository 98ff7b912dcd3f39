#include "model/hparams.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {
namespace {

// Looks a key up under the architecture's prefix, then under "llama.".
class Keys {
 public:
  Keys(const GgufMetadata& metadata, const std::string& architecture)
      : metadata_(metadata), prefixes_{architecture + ".", "llama."} {}

  // The full key that the file has for `name`; the architecture's own when it has none.
  std::string full(std::string_view name) const {
    for (const std::string& prefix : prefixes_) {
      std::string key = prefix + std::string(name);
      if (metadata_.has(key)) return key;
    }
    return prefixes_[0] + std::string(name);
  }

  bool has(std::string_view name) const { return metadata_.has(full(name)); }

  int64_t integer(std::string_view name, int64_t max) const {
    return checked(full(name), metadata_.get_i64(full(name)), max);
  }

  int64_t integer_or(std::string_view name, int64_t fallback, int64_t max) const {
    return has(name) ? integer(name, max) : fallback;
  }

  double number_or(std::string_view name, double fallback) const {
    return metadata_.find_f64(full(name)).value_or(fallback);
  }

 private:
  static int64_t checked(const std::string& key, int64_t value, int64_t max) {
    if (value < 1 || value > max) {
      fail(ErrorCode::kBadFile, "[model] {} = {}: expected a number from 1 to {}", key, value, max);
    }
    return value;
  }

  const GgufMetadata& metadata_;
  std::string prefixes_[2];
};

[[noreturn]] void refuse(const std::string& key, const std::string& value) {
  fail(ErrorCode::kUnsupported, "[model] {} = {} is not supported by this build; refusing rather than ignoring it", key,
       value);
}

// Settings that change the result and that no architecture here computes.
void refuse_unknown_maths(const GgufMetadata& metadata, const Keys& keys) {
  for (const char* name : {"expert_count", "attention.sliding_window"}) {
    const int64_t count = metadata.find_i64(keys.full(name)).value_or(0);
    if (count != 0) refuse(keys.full(name), std::to_string(count));
  }
  const double alibi_bias = keys.number_or("attention.max_alibi_bias", 0);
  if (alibi_bias != 0) refuse(keys.full("attention.max_alibi_bias"), fmt::format("{:g}", alibi_bias));
  for (const char* name : {"logit_scale", "residual_scale", "embedding_scale", "attention.scale", "attention.clamp_kqv",
                           "attn_logit_softcapping", "final_logit_softcapping"}) {
    if (keys.has(name)) refuse(keys.full(name), fmt::format("{:g}", keys.number_or(name, 0)));
  }
  for (const char* name : {"use_parallel_residual"}) {
    if (metadata.find_bool(keys.full(name)).value_or(false)) refuse(keys.full(name), "true");
  }
  const std::string causal = keys.full("attention.causal");
  if (!metadata.find_bool(causal).value_or(true)) refuse(causal, "false");
}

void read_heads(const GgufModel& file, const Keys& keys, Hparams& h) {
  h.n_heads = static_cast<int>(keys.integer("attention.head_count", kMaxHeads));
  h.n_kv_heads = static_cast<int>(keys.integer_or("attention.head_count_kv", h.n_heads, kMaxHeads));
  if (keys.has("attention.key_length")) {
    h.head_dim = static_cast<int>(keys.integer("attention.key_length", kMaxWidth));
  } else if (h.n_embd % h.n_heads == 0) {
    h.head_dim = static_cast<int>(h.n_embd / h.n_heads);
  } else {
    fail(ErrorCode::kBadFile, "[model] {} = {} is not a multiple of {} = {}, and there is no {}",
         keys.full("embedding_length"), h.n_embd, keys.full("attention.head_count"), h.n_heads,
         keys.full("attention.key_length"));
  }
  const int64_t value_length = keys.integer_or("attention.value_length", h.head_dim, kMaxWidth);
  if (value_length != h.head_dim) refuse(keys.full("attention.value_length"), std::to_string(value_length));
  if (h.head_dim % 2 != 0) {
    fail(ErrorCode::kUnsupported, "[model] head size {} is odd: rotary embeddings need pairs", h.head_dim);
  }
  const GgufTensor* k = file.find_tensor("blk.0.attn_k.weight");
  if (k == nullptr || k->desc.shape.rank() != 2) return;  // the weights' own check names what is missing
  const int64_t width = k->desc.shape[0];
  if (width == h.kv_width()) return;
  if (h.kv_width_must_match) {
    fail(ErrorCode::kBadFile, "Qwen3 KV dim {} != n_head_kv {} * n_embd_head {}", width, h.n_kv_heads, h.head_dim);
  }
  if (width % h.head_dim != 0) {
    fail(ErrorCode::kBadFile, "[model] tensor 'blk.0.attn_k.weight' has {} rows, which are not whole heads of {}",
         width, h.head_dim);
  }
  h.n_kv_heads = static_cast<int>(width / h.head_dim);
}

// What positions are divided by. A factor without a type is a linear one, as other programs read it; the type "none"
// leaves it out.
double read_rope_factor(const GgufMetadata& metadata, const Keys& keys) {
  const std::string type_key = keys.full("rope.scaling.type");
  const std::string type(metadata.find_string(type_key).value_or("linear"));
  if (type == "none") return 1.0;
  if (type != "linear") refuse(type_key, "'" + printable(type) + "'");
  double factor = 1.0 / keys.number_or("rope.frequency_scale", 1.0);
  factor = keys.number_or("rope.scale_linear", factor);
  factor = keys.number_or("rope.scaling.factor", factor);
  if (!(factor >= 1e-6) || factor > 1e6) {
    fail(ErrorCode::kBadFile, "[model] the linear rope factor is {:g}: expected a number from 1e-06 to 1e+06", factor);
  }
  return factor;
}

void read_rope(const GgufMetadata& metadata, const Keys& keys, Hparams& h) {
  h.rope_base = keys.number_or("rope.freq_base", 10000.0);
  if (!(h.rope_base > 0) || h.rope_base > 1e30) {
    fail(ErrorCode::kBadFile, "[model] {} = {:g}: expected a positive number", keys.full("rope.freq_base"),
         h.rope_base);
  }
  const int64_t n_rot = keys.integer_or("rope.dimension_count", h.head_dim, kMaxWidth);
  if (n_rot != h.head_dim) refuse(keys.full("rope.dimension_count"), std::to_string(n_rot));
  h.rope_linear_factor = static_cast<float>(read_rope_factor(metadata, keys));
}

// Rows of the embedding table; the tokenizer may not know more tokens than it has.
void read_vocabulary(const GgufModel& file, Hparams& h) {
  const GgufTensor* table = file.find_tensor("token_embd.weight");
  if (table == nullptr || table->desc.shape.rank() != 2) {
    fail(ErrorCode::kBadFile, "[model] the file has no matrix 'token_embd.weight'");
  }
  h.n_vocab = table->desc.shape[0];
  const uint64_t n_tokens = file.metadata().find_array_size("tokenizer.ggml.tokens").value_or(0);
  if (n_tokens > static_cast<uint64_t>(h.n_vocab)) {
    fail(ErrorCode::kBadFile, "[model] tokenizer.ggml.tokens has {} entries, but 'token_embd.weight' has {} rows",
         n_tokens, h.n_vocab);
  }
}

}  // namespace

void read_hparams(const GgufModel& file, Hparams& h) {
  const GgufMetadata& metadata = file.metadata();
  const Keys keys(metadata, h.architecture);
  refuse_unknown_maths(metadata, keys);
  h.n_layers = static_cast<int>(keys.integer("block_count", kMaxLayers));
  h.n_embd = keys.integer("embedding_length", kMaxWidth);
  h.n_ff = keys.integer("feed_forward_length", kMaxWidth);
  h.n_ctx_train = keys.integer_or("context_length", 32768, int64_t{1} << 40);
  const double eps = keys.number_or("attention.layer_norm_rms_epsilon", 1e-6);
  if (!(eps >= 0) || eps > 1) {
    fail(ErrorCode::kBadFile, "[model] {} = {:g}: expected a number from 0 to 1",
         keys.full("attention.layer_norm_rms_epsilon"), eps);
  }
  h.norm_eps = static_cast<float>(eps);
  read_heads(file, keys, h);
  if (h.n_heads % h.n_kv_heads != 0) {
    fail(ErrorCode::kBadFile, "[model] {} query heads are not whole groups of {} key/value heads", h.n_heads,
         h.n_kv_heads);
  }
  read_rope(metadata, keys, h);
  read_vocabulary(file, h);
}

}  // namespace minfer
