// A model's chat template: a conversation in, the prompt's text out, byte for byte as transformers'
// apply_chat_template.
#pragma once

#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"

namespace minfer {

struct ChatInputs {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  nlohmann::ordered_json tools;  // null: none
  bool add_generation_prompt = true;
  std::string bos_token;  // texts of the special tokens; "" when there is none
  std::string eos_token;
  nlohmann::ordered_json extra = nlohmann::ordered_json::object();  // more variables; they win over those above
  std::optional<std::tm> now;  // local time for strftime_now; the system's when absent
};

// Immutable: one object may render in several threads at once.
class ChatTemplate {
 public:
  // `limits` hold for every rendering. Throws TemplateError (syntax error, unsupported template construct).
  static ChatTemplate parse(std::string source, const jinja::Limits& limits = {});

  // The generic template for files without one: <|im_start|>{role}\n{content}<|im_end|>\n for each message.
  static ChatTemplate chatml();

  // parse() and check_renders(), for a model's own template: the error says that there is no fall-back and lists the
  // str methods. Source of the words: the contract of refusals in docs.
  static ChatTemplate load(std::string source, const jinja::Limits& limits = {});

  // The prompt. Messages are given to the template as they are (see messages.h for what is adapted before).
  // Throws TemplateError.
  std::string render(const ChatInputs& inputs) const;

  // Renders two canary conversations: with a system message and past thoughts, and one that ends with the assistant.
  // A template that refuses one of them with raise_exception works as it was written and passes.
  void check_renders() const;

  const std::string& source() const { return source_; }

 private:
  struct Parsed;
  ChatTemplate(std::string source, std::shared_ptr<const Parsed> parsed, const jinja::Limits& limits);

  std::string source_;
  jinja::Limits limits_;
  std::shared_ptr<const Parsed> parsed_;
};

}  // namespace minfer
