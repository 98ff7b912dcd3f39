#include "engine/text_model.h"

#include "engine/tokenizer_metadata.h"

namespace minfer {

namespace {

TokenizerSpec spec_with(const GgufMetadata& metadata, std::string_view pre_tokenizer) {
  TokenizerSpec spec = read_tokenizer_spec(metadata);
  if (!pre_tokenizer.empty()) spec.pre = std::string(pre_tokenizer);
  return spec;
}

}  // namespace

TextModel::TextModel(const GgufMetadata& metadata, MemoryLedger* ledger, std::string_view pre_tokenizer)
    : tokenizer_(std::make_unique<Tokenizer>(spec_with(metadata, pre_tokenizer))) {
  const std::optional<std::string_view> source = metadata.find_string("tokenizer.chat_template");
  if (source) template_source_ = std::string(*source);
  if (ledger != nullptr) enter_in(*ledger);
}

void TextModel::enter_in(MemoryLedger& ledger) {
  const size_t bytes = tokenizer_->size_bytes() + (template_source_ ? template_source_->size() : 0);
  memory_ = ledger.reserve(MemoryTag::kTokenizer, bytes, "the tokenizer");
}

void TextModel::set_template_source(std::string source) {
  template_source_ = std::move(source);
  template_.reset();
}

const ChatTemplate& TextModel::chat_template(const Log& log, const jinja::Limits& limits) {
  if (template_) return *template_;
  if (template_source_) {
    template_ = ChatTemplate::load(*template_source_, limits);
  } else {
    log.warn("this GGUF has no tokenizer.chat_template; using the generic ChatML renderer");
    template_ = ChatTemplate::chatml();
  }
  return *template_;
}

std::string TextModel::text_of(std::optional<TokenId> id) const {
  return id ? tokenizer_->token_bytes(*id) : "";
}

std::string TextModel::bos_text() const {
  return text_of(tokenizer_->named().bos);
}

std::string TextModel::eos_text() const {
  return text_of(tokenizer_->named().eos);
}

std::vector<TokenId> TextModel::encode_prompt(std::string_view text) const {
  std::vector<TokenId> ids = tokenizer_->encode(text, ControlText::kParse);
  tokenizer_->add_bos(ids);
  return ids;
}

std::vector<TokenId> TextModel::encode_fill_in(std::string_view before, std::string_view after) const {
  std::vector<TokenId> ids = tokenizer_->encode_fill_in(before, after);
  tokenizer_->add_bos(ids);
  return ids;
}

nlohmann::ordered_json single_turn(const std::optional<std::string>& system, const std::string& user) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (system) messages.push_back({{"role", "system"}, {"content", *system}});
  messages.push_back({{"role", "user"}, {"content", user}});
  return messages;
}

}  // namespace minfer
