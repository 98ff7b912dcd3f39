// What a file says about text: its tokenizer and its chat template.
#pragma once

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/memory_ledger.h"
#include "gguf/metadata.h"
#include "text/chat_template/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer {

class TextModel {
 public:
  // Reads the tokenizer and remembers the template's source. Throws kNotFound without a vocabulary, and what the
  // tokenizer refuses. `metadata` need not outlive it. With a ledger, which must outlive it, the tokenizer's tables and
  // the template's source are entered there (kOutOfMemory when its cap refuses them). A `pre_tokenizer` other than ""
  // is used in place of the one that the file names.
  explicit TextModel(const GgufMetadata& metadata, MemoryLedger* ledger = nullptr, std::string_view pre_tokenizer = "");

  // Enters the tables in a ledger, as the constructor does when it gets one.
  void enter_in(MemoryLedger& ledger);

  const Tokenizer& tokenizer() const { return *tokenizer_; }

  // The file's template; nothing when it has none.
  const std::optional<std::string>& template_source() const { return template_source_; }
  // Uses another one from here on.
  void set_template_source(std::string source);

  // The template, parsed with `limits` and tried on two conversations when it is first asked for. A file without one
  // gets ChatML, and `log` a notice. Throws what parsing or trying throws: a template that cannot be rendered is never
  // replaced in silence.
  const ChatTemplate& chat_template(const Log& log, const jinja::Limits& limits = {});

  // Texts of the begin and end tokens, "" when the file names none: what templates know as bos_token and eos_token.
  std::string bos_text() const;
  std::string eos_text() const;

  // The token ids of a rendered conversation: control tokens are read from the template's text, and a begin token is
  // put in front if the file asks for it and the text does not start with it.
  std::vector<TokenId> encode_prompt(std::string_view text) const;

  // The same of a fill-in-the-middle prompt (Tokenizer::encode_fill_in).
  std::vector<TokenId> encode_fill_in(std::string_view before, std::string_view after) const;

 private:
  std::string text_of(std::optional<TokenId> id) const;

  MemoryLedger::Reservation memory_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::optional<std::string> template_source_;
  std::optional<ChatTemplate> template_;
};

// The conversation of a single question: [{"role": "system", …}, {"role": "user", …}]; the system message is optional.
nlohmann::ordered_json single_turn(const std::optional<std::string>& system, const std::string& user);

}  // namespace minfer
