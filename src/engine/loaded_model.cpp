#include "engine/loaded_model.h"

namespace minfer {

LoadedModel::LoadedModel(EngineOptions options, const std::string& pre_tokenizer) {
  options.beside_load = [this, &pre_tokenizer](const GgufMetadata& metadata) {
    text_ = std::make_unique<TextModel>(metadata, nullptr, pre_tokenizer);
  };
  engine_ = std::make_unique<Engine>(std::move(options));
  text_->enter_in(engine_->ledger());
}

}  // namespace minfer
