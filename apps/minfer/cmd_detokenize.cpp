// minfer detokenize: the bytes that token ids stand for.
#include <fmt/format.h>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "apps/minfer/text_input.h"
#include "base/error.h"
#include "engine/text_model.h"
#include "gguf/gguf_model.h"

namespace minfer::app {
namespace {

std::vector<TokenId> read_ids(const Invocation& call, const std::vector<std::string>& words) {
  const Settings& settings = call.settings;
  const int n_sources = settings.is_set(SettingId::kTokens) + settings.is_set(SettingId::kTokensFile) + !words.empty();
  if (n_sources > 1) throw UsageError("more than one list of ids: give it as words, or with --tokens or --tokens-file");
  if (settings.is_set(SettingId::kTokens)) return parse_token_ids(settings.text(SettingId::kTokens), "--tokens");
  if (settings.is_set(SettingId::kTokensFile)) {
    const std::string& path = settings.text(SettingId::kTokensFile);
    return parse_token_ids(read_text_file(path), printable(path));
  }
  const bool from_input = words.empty() || (words.size() == 1 && words[0] == "-");
  if (!from_input) return parse_token_ids(fmt::format("{}", fmt::join(words, " ")), "the words");
  if (words.empty() && input_is_terminal()) {
    throw UsageError("no ids were given", "Example: minfer detokenize MODEL 1,2,3");
  }
  return parse_token_ids(read_text_file("-"), "standard input");
}

}  // namespace

int cmd_detokenize(const Invocation& call) {
  const ModelAndWords model = take_model(call);
  const std::vector<TokenId> ids = read_ids(call, model.words);
  const TextModel text_model(GgufModel::open(model.path).metadata(), nullptr,
                             call.settings.text(SettingId::kTokenizerPre));
  const Tokenizer& tokenizer = text_model.tokenizer();
  for (const TokenId id : ids) {
    if (static_cast<size_t>(id) >= tokenizer.n_vocab()) {
      fail(ErrorCode::kInvalidArgument, "token {} lies outside the vocabulary of {}", id, tokenizer.n_vocab());
    }
  }
  write_output(tokenizer.decode(ids, ControlOutput::kShow));
  return kSuccess;
}

}  // namespace minfer::app
