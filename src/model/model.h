// A loaded model: hyper-parameters, weights by id, and the graphs that a step runs. It knows no device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gguf/gguf_model.h"
#include "graph/graph.h"
#include "model/arch.h"
#include "model/hparams.h"

namespace minfer {

// What the topology of a body graph depends on, besides the model.
struct BodyParams {
  int64_t rows = 1;  // capacity
  int first_layer = 0;
  int end_layer = 0;           // one past the last
  bool with_embedding = true;  // else the input is "hidden"
  DType kv_dtype = DType::kF16;
  int64_t max_blocks = 1;  // blocks of the longest context
};

// Names of graph inputs and of the head's output.
inline constexpr std::string_view kInputTokens = "tokens";             // i32 [rows]
inline constexpr std::string_view kInputHidden = "hidden";             // f32 [rows, n_embd]
inline constexpr std::string_view kInputPositions = "positions";       // i32 [rows]
inline constexpr std::string_view kInputSequences = "sequences";       // i32 [rows]
inline constexpr std::string_view kInputBlockTables = "block_tables";  // i32 [rows, max_blocks]

class Model {
 public:
  // Reads hyper-parameters and weights. Throws kBadFile, kUnsupported; every message names the key or tensor.
  static Model load(GgufModel file);

  const Hparams& hparams() const { return hparams_; }
  const GgufModel& file() const { return *file_; }
  const WeightTable& weights() const { return weights_->table(); }
  // Where a weight lies in the file.
  const GgufTensor& weight_tensor(WeightId id) const { return *weights_->tensors()[static_cast<size_t>(id)]; }
  bool is_tied() const { return output_ == token_embd_; }

  // Embedding (or hidden state) to hidden state: f32 [rows, n_embd], the graph's one output.
  Graph build_body(const BodyParams& params) const;
  // Final norm and output matrix: hidden f32 [rows, n_embd] to logits f32 [rows, n_vocab].
  Graph build_head(int64_t rows) const;

 private:
  Model() = default;

  std::unique_ptr<const GgufModel> file_;
  const Architecture* arch_ = nullptr;
  Hparams hparams_;
  std::unique_ptr<WeightSet> weights_;
  std::vector<BlockWeights> blocks_;  // [n_layers]
  WeightId token_embd_ = kNone;
  WeightId output_norm_ = kNone;
  WeightId output_ = kNone;
  WeightId output_bias_ = kNone;
  WeightId rope_freqs_ = kNone;
};

}  // namespace minfer
