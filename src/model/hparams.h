// The hyper-parameters of a decoder-only transformer, read from a file's metadata and checked.
#pragma once

#include <cstdint>
#include <string>

#include "gguf/gguf_model.h"
#include "graph/ops/rope.h"

namespace minfer {

struct Hparams {
  std::string architecture;
  int n_layers = 0;
  int64_t n_embd = 0;  // width of the hidden state
  int64_t n_ff = 0;    // width inside the feed-forward block
  int n_heads = 0;     // query heads
  int n_kv_heads = 0;  // key/value heads
  int head_dim = 0;
  int64_t n_vocab = 0;      // rows of the embedding table and of the logits
  int64_t n_ctx_train = 0;  // context that the model was trained for
  float norm_eps = 0;
  double rope_base = 0;
  float rope_linear_factor = 1.0F;  // positions are divided by it

  // In what architectures differ.
  RopePairs rope_pairs = RopePairs::kHalves;
  bool has_qk_norm = false;          // q and k are normalized per head before the rotation
  bool kv_width_must_match = false;  // the K matrix must have n_kv_heads · head_dim rows as metadata has them

  int64_t q_width() const { return int64_t{n_heads} * head_dim; }
  int64_t kv_width() const { return int64_t{n_kv_heads} * head_dim; }
};

// Limits above any real model, so that a damaged file cannot ask for absurd graphs.
inline constexpr int64_t kMaxLayers = 4096;
inline constexpr int64_t kMaxHeads = 1 << 16;
inline constexpr int64_t kMaxWidth = int64_t{1} << 24;

// Reads `<architecture>.*`, with `llama.*` as the fallback. `hparams` comes with the architecture's own fields set.
// Throws kBadFile for missing or impossible values, kUnsupported for what this build would have to ignore (experts,
// sliding windows, rope scaling types other than none and linear, …), each by its key.
void read_hparams(const GgufModel& file, Hparams& hparams);

}  // namespace minfer
