// minfer tokenize: a text's token ids.
#include <fmt/format.h>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "apps/minfer/text_input.h"
#include "engine/text_model.h"
#include "gguf/gguf_model.h"

namespace minfer::app {
namespace {

std::string read_text(const Invocation& call, const std::vector<std::string>& words) {
  const bool has_file = call.settings.is_set(SettingId::kTextFile);
  if (has_file && !words.empty()) throw UsageError("more than one text: give it as words, or with --file");
  if (has_file) return read_text_file(call.settings.text(SettingId::kTextFile));
  if (words.empty() && input_is_terminal()) {
    throw UsageError("no text was given", "Example: minfer tokenize MODEL \"Hello, world!\"");
  }
  if (words.empty() || (words.size() == 1 && words[0] == "-")) return read_text_file("-");
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

int cmd_tokenize(const Invocation& call) {
  const ModelAndWords model = take_model(call);
  const TextModel text_model(GgufModel::open(model.path).metadata(), nullptr,
                             call.settings.text(SettingId::kTokenizerPre));
  const bool special = call.settings.boolean(SettingId::kParseSpecial);
  const std::string text = read_text(call, model.words);
  note_missing_bytes(text_model.tokenizer(), text, message_log(false, false));
  const std::vector<TokenId> ids =
      text_model.tokenizer().encode(text, special ? ControlText::kParse : ControlText::kAsPlain);
  write_output(fmt::format("[{}]\n", fmt::join(ids, ",")));
  return kSuccess;
}

}  // namespace minfer::app
