// minfer template: a conversation as the text that a chat template makes of it.
#include <fmt/format.h>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "apps/minfer/prompt.h"
#include "apps/minfer/text_input.h"
#include "base/error.h"
#include "engine/tokenizer_metadata.h"
#include "gguf/gguf_model.h"
#include "text/chat_template/chat_template.h"
#include "text/chat_template/messages.h"

namespace minfer::app {
namespace {

using Json = nlohmann::ordered_json;

Json read_json(const std::string& path) {
  const std::string text = read_text_file(path);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    fail(ErrorCode::kInvalidArgument, "{} is not valid JSON: {}", printable(path), printable(error.what(), 300));
  }
}

void set_variables(const std::vector<std::string>& definitions, ChatInputs& inputs) {
  for (const std::string& definition : definitions) {
    const size_t equals = definition.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("invalid --var '{}': expected NAME=JSON", printable(definition, 60)));
    }
    const std::string name = definition.substr(0, equals);
    try {
      inputs.extra[name] = Json::parse(definition.substr(equals + 1));
    } catch (const Json::exception&) {
      throw UsageError(
          fmt::format("invalid --var {}: '{}' is not valid JSON; texts need quotes inside: --var '{}=\"…\"'",
                      printable(name, 60), printable(definition.substr(equals + 1), 60), printable(name, 60)));
    }
  }
}

// The texts of the special tokens are read without a tokenizer, so that files of any kind work.
void set_special_tokens(const GgufMetadata& metadata, ChatInputs& inputs) {
  if (metadata.find("tokenizer.ggml.tokens") == nullptr) return;
  const TokenizerSpec spec = read_tokenizer_spec(metadata);
  const auto text_of = [&](const std::optional<int64_t>& id) {
    const bool known = id && *id >= 0 && static_cast<size_t>(*id) < spec.tokens.size();
    return known ? std::string(spec.tokens[static_cast<size_t>(*id)]) : std::string();
  };
  inputs.bos_token = text_of(spec.bos_id);
  inputs.eos_token = text_of(spec.eos_id);
}

// The model's template and special tokens, or --template's.
ChatTemplate read_template(const Invocation& call, ChatInputs& inputs) {
  const Settings& settings = call.settings;
  const bool has_file = settings.is_set(SettingId::kTemplateFile);
  const bool has_model = settings.is_set(SettingId::kModel) || !call.words.empty();
  if (!has_file && !has_model) {
    throw UsageError("no template was given: name a model or --template FILE",
                     fmt::format("Usage: minfer template {}", call.command->synopsis));
  }
  std::optional<std::string> source;
  if (has_file) source = read_text_file(settings.text(SettingId::kTemplateFile));
  if (has_model) {
    const ModelAndWords model = take_model(call);
    refuse_words(call, model.words);
    const GgufModel file = GgufModel::open(model.path);
    set_special_tokens(file.metadata(), inputs);
    const auto own = file.metadata().find_string("tokenizer.chat_template");
    if (!source && own) source = std::string(*own);
  }
  if (source) return ChatTemplate::parse(*source, template_limits(settings));
  message_log(false, false).warn("this GGUF has no tokenizer.chat_template; using the generic ChatML renderer");
  return ChatTemplate::chatml();
}

}  // namespace

int cmd_template(const Invocation& call) {
  const Settings& settings = call.settings;
  ChatInputs inputs;
  set_variables(settings.list(SettingId::kVar), inputs);
  try {
    const ChatTemplate chat_template = read_template(call, inputs);
    if (!settings.is_set(SettingId::kMessages)) {
      throw UsageError("no messages were given: --messages FILE",
                       fmt::format("Usage: minfer template {}", call.command->synopsis));
    }
    inputs.messages = read_json(settings.text(SettingId::kMessages));
    if (!inputs.messages.is_array()) {
      fail(ErrorCode::kInvalidArgument, "{}: expected a list of messages, got {}",
           printable(settings.text(SettingId::kMessages)), inputs.messages.type_name());
    }
    if (settings.is_set(SettingId::kTools)) inputs.tools = read_json(settings.text(SettingId::kTools));
    inputs.add_generation_prompt = settings.boolean(SettingId::kGenerationPrompt);
    write_output(chat_template.render(inputs));
  } catch (const TemplateError& error) {
    if (!error.raised_by_template()) throw;
    // Its own words, without ours around them.
    fail(ErrorCode::kInvalidArgument, "{}", printable(error.detail(), 2000));
  }
  return kSuccess;
}

}  // namespace minfer::app
