#include "model/model.h"

#include "base/error.h"
#include "graph/ops/embed.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/rope_angles.h"

namespace minfer {

Model Model::load(GgufModel file) {
  Model model;
  model.file_ = std::make_unique<const GgufModel>(std::move(file));
  Hparams& h = model.hparams_;
  h.architecture = model.file_->metadata().get_string("general.architecture");
  model.arch_ = &find_architecture(h.architecture);
  model.arch_->configure(h);
  read_hparams(*model.file_, h);

  model.weights_ = std::make_unique<WeightSet>(*model.file_);
  WeightSet& weights = *model.weights_;
  model.token_embd_ = weights.matrix("token_embd.weight", h.n_vocab, h.n_embd, kNone);
  for (int layer = 0; layer < h.n_layers; ++layer) {
    model.blocks_.push_back(model.arch_->declare_block(weights, h, layer));
  }
  model.output_norm_ = weights.vector("output_norm.weight", h.n_embd, kNone);
  model.output_ = weights.optional_matrix("output.weight", h.n_vocab, h.n_embd, kNone);
  if (model.output_ == kNone) model.output_ = model.token_embd_;
  model.output_bias_ = weights.optional_vector("output.bias", h.n_vocab, kNone);
  model.rope_freqs_ = weights.optional_vector("rope_freqs.weight", h.head_dim / 2, kNone);
  if (model.rope_freqs_ != kNone && h.rope_linear_factor != 1.0F) {
    fail(ErrorCode::kUnsupported, "[model] the file has both 'rope_freqs.weight' and a linear rope factor of {:g}",
         h.rope_linear_factor);
  }
  weights.check_all_consumed();
  return model;
}

Graph Model::build_body(const BodyParams& p) const {
  const Hparams& h = hparams_;
  check(p.first_layer >= 0 && p.first_layer <= p.end_layer && p.end_layer <= h.n_layers,
        "[model] layers {} to {} of {} do not exist", p.first_layer, p.end_layer, h.n_layers);
  GraphBuilder b(&weights(), p.rows);
  ValueId hidden = kNone;
  if (p.with_embedding) {
    hidden = embed(b, b.input(std::string(kInputTokens), {DType::kI32, {p.rows}}), token_embd_, "token_embd");
  } else {
    hidden = b.input(std::string(kInputHidden), {DType::kF32, {p.rows, h.n_embd}});
  }
  StepValues step;
  step.rows.positions = b.input(std::string(kInputPositions), {DType::kI32, {p.rows}});
  step.rows.sequences = b.input(std::string(kInputSequences), {DType::kI32, {p.rows}});
  step.rows.block_tables = b.input(std::string(kInputBlockTables), {DType::kI32, {p.rows, p.max_blocks}});
  step.kv_dtype = p.kv_dtype;
  RopeAnglesParams rope;
  rope.head_dim = h.head_dim;
  rope.base = h.rope_base;
  rope.linear_factor = h.rope_linear_factor;
  step.angles = rope_angles(b, step.rows.positions, rope_freqs_, rope, "rope_angles");
  for (int layer = p.first_layer; layer < p.end_layer; ++layer) {
    b.set_layer(layer);
    hidden = arch_->build_block(b, h, blocks_[static_cast<size_t>(layer)], step, hidden);
  }
  b.output(hidden);
  return b.take();
}

Graph Model::build_head(int64_t rows) const {
  GraphBuilder b(&weights(), rows);
  const ValueId hidden = b.input(std::string(kInputHidden), {DType::kF32, {rows, hparams_.n_embd}});
  const ValueId x = rms_norm(b, hidden, output_norm_, hparams_.norm_eps, "output_norm");
  b.output(Projection(b, x, "output_in_q8")(output_, output_bias_, "logits"));
  return b.take();
}

}  // namespace minfer
