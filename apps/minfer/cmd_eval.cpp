// minfer eval: the logits behind every token of a given text, and numbers made of them.
#include <fmt/format.h>

#include "apps/minfer/command.h"
#include "apps/minfer/engine_setup.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/graph_dump.h"
#include "apps/minfer/interrupts.h"
#include "apps/minfer/memory_output.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/npy_output.h"
#include "apps/minfer/output.h"
#include "apps/minfer/progress.h"
#include "apps/minfer/text_input.h"
#include "base/error.h"
#include "engine/evaluate.h"
#include "engine/logit_hash.h"
#include "engine/text_model.h"

namespace minfer::app {
namespace {

std::vector<TokenId> encode_file(const std::string& model_path, const Settings& settings) {
  const std::string text = read_text_file(settings.text(SettingId::kTextFile));
  const TextModel text_model(GgufModel::open(model_path).metadata(), nullptr,
                             settings.text(SettingId::kTokenizerPre));
  note_missing_bytes(text_model.tokenizer(), text, message_log(settings.boolean(SettingId::kQuiet), false));
  const bool special = settings.boolean(SettingId::kParseSpecial);
  std::vector<TokenId> ids = text_model.tokenizer().encode(text, special ? ControlText::kParse : ControlText::kAsPlain);
  text_model.tokenizer().add_bos(ids);
  return ids;
}

std::vector<TokenId> read_tokens(const Invocation& call, const std::string& model_path) {
  const Settings& settings = call.settings;
  const int n_sources = settings.is_set(SettingId::kTokens) + settings.is_set(SettingId::kTokensFile) +
                        settings.is_set(SettingId::kTextFile);
  if (n_sources != 1) {
    throw UsageError(n_sources == 0 ? "nothing to evaluate" : "more than one text to evaluate",
                     fmt::format("Usage: minfer eval {}", call.command->synopsis));
  }
  if (settings.is_set(SettingId::kTextFile)) return encode_file(model_path, settings);
  if (settings.is_set(SettingId::kTokens)) {
    try {
      return parse_token_ids(settings.text(SettingId::kTokens), "--tokens");
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
  const std::string& path = settings.text(SettingId::kTokensFile);
  return parse_token_ids(read_text_file(path), printable(path));
}

// What is made of the logits, row by row.
class Results {
 public:
  Results(const Settings& settings, const std::vector<TokenId>& tokens, const Engine& engine)
      : tokens_(tokens),
        n_top_(static_cast<size_t>(settings.integer(SettingId::kTop))),
        wants_hash_(settings.boolean(SettingId::kLogitHash)) {
    const bool wants_file = settings.is_set(SettingId::kLogits);
    wants_nll_ = settings.boolean(SettingId::kNll) || (!wants_file && n_top_ == 0 && !wants_hash_);
    if (wants_nll_ && tokens.size() < 2) {
      fail(ErrorCode::kInvalidArgument, "--nll needs at least 2 tokens, got {}: the first one is not predicted",
           tokens.size());
    }
    if (wants_file) {
      file_ = std::make_unique<NpyOutput>(settings.text(SettingId::kLogits), static_cast<int64_t>(tokens.size()),
                                          engine.model().hparams().n_vocab);
    }
    if (n_top_ > 0) write_output(fmt::format("{:>8} {:>5} {:>8} {:>11}\n", "position", "rank", "token", "logprob"));
  }

  void take(size_t position, std::span<const float> logits) {
    if (file_) file_->write_row(logits);
    if (wants_hash_) hash_.add(logits);
    if (wants_nll_ && position + 1 < tokens_.size()) nll_ += negative_log_likelihood(logits, tokens_[position + 1]);
    if (n_top_ == 0) return;
    std::string lines;
    size_t rank = 0;
    for (const auto& [id, logprob] : top_tokens(logits, n_top_)) {
      lines += fmt::format("{:>8} {:>5} {:>8} {:>11.6f}\n", position, ++rank, id, logprob);
    }
    write_output(lines);
  }

  void finish() {
    if (file_) file_->complete();
    if (wants_hash_) write_message(fmt::format("logit hash: {}", hash_.text()));
    if (wants_nll_) write_output(fmt::format("nll: {}\n", nll_ / static_cast<double>(tokens_.size() - 1)));
  }

 private:
  const std::vector<TokenId>& tokens_;
  size_t n_top_;
  bool wants_hash_;
  bool wants_nll_ = false;
  std::unique_ptr<NpyOutput> file_;
  LogitHash hash_;
  double nll_ = 0;
};

int load_and_evaluate(const Invocation& call, const std::string& model_path, const std::vector<TokenId>& tokens,
                      const Interrupts& interrupts) {
  const Settings& settings = call.settings;
  const Log log = start_log(call);
  EngineOptions options = engine_options(call, model_path, log);
  if (!settings.is_set(SettingId::kCtxSize)) options.n_ctx = static_cast<int64_t>(tokens.size());
  options.cancel_load = interrupts.flag();
  Engine engine(options);
  note_context(engine, settings, log);
  if (wants_graph_dump(settings)) {
    dump_graph(engine, settings, static_cast<int64_t>(tokens.size()));
    return kSuccess;
  }
  Results results(settings, tokens, engine);
  Progress progress("eval: tokens", !settings.boolean(SettingId::kQuiet) && messages_are_terminal());
  evaluate(
      engine, tokens, [&](size_t position, std::span<const float> logits) { results.take(position, logits); },
      interrupts.flag(), [&](size_t done, size_t total) { progress.update(done, total); });
  progress.finish();
  results.finish();
  report_memory(engine, settings);
  return kSuccess;
}

}  // namespace

int cmd_eval(const Invocation& call) {
  const ModelAndWords model = take_model(call);
  refuse_words(call, model.words);
  const std::vector<TokenId> tokens = read_tokens(call, model.path);
  if (tokens.empty()) fail(ErrorCode::kInvalidArgument, "there are no tokens to evaluate");
  const Interrupts interrupts;
  return interrupts.run([&] { return load_and_evaluate(call, model.path, tokens, interrupts); });
}

}  // namespace minfer::app
