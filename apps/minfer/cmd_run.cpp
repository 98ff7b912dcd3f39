// minfer run: one answer to one prompt.
#include <fmt/format.h>

#include <chrono>
#include <random>

#include "apps/minfer/command.h"
#include "apps/minfer/engine_setup.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/graph_dump.h"
#include "apps/minfer/interrupts.h"
#include "apps/minfer/memory_output.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "apps/minfer/progress.h"
#include "apps/minfer/prompt.h"
#include "apps/minfer/run_report.h"
#include "base/process_memory.h"
#include "engine/generate.h"
#include "engine/loaded_model.h"

namespace minfer::app {
namespace {

using Clock = std::chrono::steady_clock;

sampling::SamplingParams sampling_params(const Settings& settings) {
  sampling::SamplingParams params;
  params.temperature = static_cast<float>(settings.number(SettingId::kTemp));
  if (settings.boolean(SettingId::kGreedy)) params.temperature = 0;
  params.top_k = static_cast<int32_t>(settings.integer(SettingId::kTopK));
  params.top_p = static_cast<float>(settings.number(SettingId::kTopP));
  params.min_p = static_cast<float>(settings.number(SettingId::kMinP));
  params.repeat_penalty = static_cast<float>(settings.number(SettingId::kRepeatPenalty));
  params.frequency_penalty = static_cast<float>(settings.number(SettingId::kFrequencyPenalty));
  params.presence_penalty = static_cast<float>(settings.number(SettingId::kPresencePenalty));
  params.repeat_last_n = static_cast<int32_t>(settings.integer(SettingId::kRepeatLastN));
  params.seed = static_cast<uint64_t>(settings.integer(SettingId::kSeed));
  sampling::validate(params);
  return params;
}

GenerateRequest generate_request(const Settings& settings) {
  GenerateRequest request;
  request.sampling = sampling_params(settings);
  request.n_predict = settings.integer(SettingId::kNPredict);
  request.stop = settings.list(SettingId::kStop);
  request.ignore_eos = settings.boolean(SettingId::kIgnoreEos);
  request.hash_logits = settings.boolean(SettingId::kLogitHash);
  return request;
}

// -1 asks for a seed that nobody chose; naming it lets the run be repeated.
void draw_seed(sampling::SamplingParams& params, const Settings& settings, const Log& log) {
  if (settings.integer(SettingId::kSeed) >= 0) return;
  params.seed = std::random_device{}();
  log.warn("seed {}", params.seed);
}

void check_settings(const Settings& settings) {
  for (const std::string& stop : settings.list(SettingId::kStop)) {
    if (stop.empty()) throw UsageError(fmt::format("{} is empty: expected a text", settings.origin(SettingId::kStop)));
  }
  if (!settings.boolean(SettingId::kRaw)) return;
  for (const SettingId id : {SettingId::kSystemPrompt, SettingId::kChatTemplateFile}) {
    if (settings.is_set(id)) {
      throw UsageError(fmt::format("{} needs the chat template that --raw leaves out", settings.origin(id)));
    }
  }
}

// Writes the answer as it comes; a person at a terminal gets a line end behind it.
class TextStream {
 public:
  TextStream(Progress& progress, bool is_silent) : progress_(progress), is_silent_(is_silent) {}

  void show(std::string_view text) {
    progress_.finish();
    if (is_silent_) return;
    write_output(text);
    ends_line_ = text.ends_with('\n');
  }

  void end() {
    progress_.finish();
    if (!is_silent_ && !ends_line_ && output_is_terminal()) write_output("\n");
  }

 private:
  Progress& progress_;
  bool is_silent_;
  bool ends_line_ = true;
};

GenerateResult answer(Engine& engine, const TextModel& text_model, GenerateRequest request, const Settings& settings) {
  const bool quiet = settings.boolean(SettingId::kQuiet);
  Progress progress("prefill: tokens", !quiet && messages_are_terminal());
  TextStream stream(progress, settings.boolean(SettingId::kJson));
  GenerateEvents events;
  events.on_text = [&](std::string_view text) { stream.show(text); };
  events.on_prefill = [&](size_t done, size_t total) {
    progress.update(done, total);
    if (done == total) progress.finish();
  };
  GenerateResult result = generate(engine, text_model.tokenizer(), engine.create_sequence(), request, events);
  stream.end();
  return result;
}

void report(const RunReport& what, const Settings& settings) {
  if (settings.boolean(SettingId::kJson)) write_output(report_json(what));
  if (settings.boolean(SettingId::kLogitHash)) {
    write_message(fmt::format("logit hash: {}", what.result->logit_hash));
  }
  if (!settings.boolean(SettingId::kQuiet)) write_message(report_text(what));
}

int load_and_answer(const Invocation& call, const std::string& model_path, const std::string& prompt,
                    GenerateRequest request, const Log& log, const Interrupts& interrupts) {
  const Settings& settings = call.settings;
  const Clock::time_point start = Clock::now();
  EngineOptions options = engine_options(call, model_path, log);
  options.cancel_load = interrupts.flag();
  LoadedModel loaded(std::move(options), settings.text(SettingId::kTokenizerPre));
  Engine& engine = loaded.engine();
  TextModel& text_model = loaded.text();
  note_context(engine, settings, log);
  const double load_s = std::chrono::duration<double>(Clock::now() - start).count();
  request.prompt = encode_prompt(call, text_model, prompt, log);
  request.cancel = interrupts.flag();
  if (wants_graph_dump(settings)) {
    dump_graph(engine, settings, static_cast<int64_t>(request.prompt.size()));
    return kSuccess;
  }
  const GenerateResult result = answer(engine, text_model, std::move(request), settings);
  interrupts.check_output();
  report({&result, model_path, load_s, peak_resident_bytes(), &engine.ledger()}, settings);
  report_memory(engine, settings);
  return interrupts.exit_code();
}

}  // namespace

int cmd_run(const Invocation& call) {
  const Settings& settings = call.settings;
  const ModelAndWords model = take_model(call);
  check_settings(settings);
  GenerateRequest request = generate_request(settings);
  const std::string prompt = read_prompt(call, model.words);
  const Log log = start_log(call);
  draw_seed(request.sampling, settings, log);
  const Interrupts interrupts;
  return interrupts.run([&] { return load_and_answer(call, model.path, prompt, std::move(request), log, interrupts); });
}

}  // namespace minfer::app
