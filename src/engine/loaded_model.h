// An engine and the text side of the same file, made at the same time.
#pragma once

#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/text_model.h"

namespace minfer {

class LoadedModel {
 public:
  // The tokenizer is built while the weights are read, and then entered in the engine's ledger. Throws what Engine and
  // TextModel throw. `pre_tokenizer` as for TextModel.
  explicit LoadedModel(EngineOptions options, const std::string& pre_tokenizer = "");

  Engine& engine() { return *engine_; }
  TextModel& text() { return *text_; }

 private:
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<TextModel> text_;  // behind the engine, whose ledger it is entered in
};

}  // namespace minfer
