#include "apps/minfer/prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "apps/minfer/exit_codes.h"
#include "apps/minfer/text_input.h"
#include "text/tokenizer/utf8.h"

namespace minfer::app {
namespace {

[[noreturn]] void refuse_no_prompt(const Invocation& call) {
  throw UsageError("no prompt was given",
                   fmt::format("Example: minfer {} {} \"Why is the sky blue?\"\n"
                               "Try: minfer run --help",
                               call.command->name, call.settings.is_set(SettingId::kModel) ? "-m MODEL" : "MODEL"));
}

std::string read_standard_input() {
  return without_last_line_end(read_text_file("-"));
}

// Templates work on characters.
std::string well_formed(const std::string& prompt, const Log& log) {
  Utf8Stream stream;
  std::string text = stream.push(prompt);
  text += stream.finish();
  if (text != prompt) log.warn("the prompt is not UTF-8 everywhere; U+FFFD stands for what is not");
  return text;
}

bool is_fill_in(const Settings& settings) {
  return settings.is_set(SettingId::kFimPrefix) || settings.is_set(SettingId::kFimSuffix);
}

void note_missing_bytes_of_all(const Tokenizer& tokenizer, std::initializer_list<std::string_view> texts,
                               const Log& log) {
  for (const std::string_view text : texts) note_missing_bytes(tokenizer, text, log);
}

}  // namespace

std::string read_prompt(const Invocation& call, const std::vector<std::string>& words) {
  const Settings& settings = call.settings;
  const int n_sources = settings.is_set(SettingId::kPrompt) + settings.is_set(SettingId::kPromptFile) + !words.empty();
  if (is_fill_in(settings)) {
    if (n_sources == 0) return {};
    throw UsageError("a prompt beside --fim-prefix or --fim-suffix: these are the prompt");
  }
  if (n_sources > 1) throw UsageError("more than one prompt: give it as words, or with -p, or with -f");
  if (settings.is_set(SettingId::kPrompt)) return settings.text(SettingId::kPrompt);
  if (settings.is_set(SettingId::kPromptFile)) {
    return without_last_line_end(read_text_file(settings.text(SettingId::kPromptFile)));
  }
  if (words.size() == 1 && words[0] == "-") return read_standard_input();
  if (std::ranges::count(words, "-") > 0) {
    throw UsageError("more than one prompt: - reads standard input and stands alone; quote a prompt that contains it");
  }
  if (!words.empty()) return fmt::format("{}", fmt::join(words, " "));
  if (input_is_terminal()) refuse_no_prompt(call);
  std::string prompt = read_standard_input();
  if (prompt.empty()) refuse_no_prompt(call);
  return prompt;
}

jinja::Limits template_limits(const Settings& settings) {
  jinja::Limits limits;
  limits.max_memory = settings.size_bytes(SettingId::kTemplateMemory);
  return limits;
}

std::vector<TokenId> encode_prompt(const Invocation& call, TextModel& text_model, std::string prompt, const Log& log) {
  const Settings& settings = call.settings;
  if (is_fill_in(settings)) {
    const std::string& before = settings.text(SettingId::kFimPrefix);
    const std::string& after = settings.text(SettingId::kFimSuffix);
    note_missing_bytes_of_all(text_model.tokenizer(), {before, after}, log);
    return text_model.encode_fill_in(before, after);
  }
  if (settings.boolean(SettingId::kRaw)) {
    note_missing_bytes(text_model.tokenizer(), prompt, log);
    return text_model.encode_prompt(prompt);
  }
  if (settings.is_set(SettingId::kChatTemplateFile)) {
    text_model.set_template_source(read_text_file(settings.text(SettingId::kChatTemplateFile)));
  }
  const ChatTemplate& chat_template = text_model.chat_template(log, template_limits(settings));
  std::optional<std::string> system;
  if (settings.is_set(SettingId::kSystemPrompt)) system = well_formed(settings.text(SettingId::kSystemPrompt), log);
  ChatInputs inputs;
  const std::string user = well_formed(prompt, log);
  note_missing_bytes_of_all(text_model.tokenizer(), {system.value_or(""), user}, log);
  inputs.messages = single_turn(system, user);
  inputs.bos_token = text_model.bos_text();
  inputs.eos_token = text_model.eos_text();
  return text_model.encode_prompt(chat_template.render(inputs));
}

}  // namespace minfer::app
