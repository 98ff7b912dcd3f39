#include "apps/minfer/engine_setup.h"

#include <fmt/format.h>

#include <memory>

#include "apps/minfer/exit_codes.h"
#include "apps/minfer/output.h"
#include "apps/minfer/progress.h"
#include "base/cpu_info.h"

namespace minfer::app {
namespace {

DType kv_dtype(const Settings& settings) {
  const std::string& both = settings.text(SettingId::kCacheType);
  const auto one = [&](SettingId id) { return settings.is_set(id) ? settings.text(id) : both; };
  const std::string keys = one(SettingId::kCacheTypeK);
  const std::string values = one(SettingId::kCacheTypeV);
  if (keys == "q8_0" || values == "q8_0") return DType::kQ8_0;  // for the engine to refuse or not
  if (keys != values) {
    throw UsageError(fmt::format("keys in {} and values in {}: both are kept in one format; --cache-type {} sets both",
                                 keys, values, settings.is_set(SettingId::kCacheTypeK) ? keys : values));
  }
  return keys == "f32" ? DType::kF32 : DType::kF16;
}

bool is_quiet(const Invocation& call) {
  const unsigned quiet_commands = setting_row(SettingId::kQuiet).commands;
  return (quiet_commands & call.command->bit) != 0 && call.settings.boolean(SettingId::kQuiet);
}

// Starts the line with the first call, so that a load that reads nothing shows nothing.
std::function<void(uint64_t done, uint64_t total)> show_load_progress() {
  return [line = std::shared_ptr<Progress>()](uint64_t done, uint64_t total) mutable {
    if (line == nullptr) line = std::make_shared<Progress>("load: MiB", true);
    line->update(done >> 20, total >> 20);
    if (done == total) line->finish();
  };
}

void note_layers_without_device(const Invocation& call, const Log& log) {
  if (!call.settings.is_set(SettingId::kGpuLayers) || call.registry.by_identity().size() > 1) return;
  if (call.settings.integer_or_auto(SettingId::kGpuLayers) == 0) return;
  log.warn("{} has no effect: this build contains no backend besides the CPU",
           call.settings.origin(SettingId::kGpuLayers));
}

}  // namespace

Log start_log(const Invocation& call) {
  const Log log = message_log(is_quiet(call), call.settings.boolean(SettingId::kVerbose));
  for (const std::string& note : call.settings.notes()) log.warn("{}", note);
  return log;
}

EngineOptions engine_options(const Invocation& call, const std::string& model_path, const Log& log) {
  const Settings& settings = call.settings;
  note_layers_without_device(call, log);
  EngineOptions options;
  options.model_path = model_path;
  options.registry = call.registry;
  options.filter = call.filter;
  options.n_device_layers = settings.integer_or_auto(SettingId::kGpuLayers).value_or(-1);
  const UsableCores cores = usable_cores();
  options.n_threads = static_cast<int>(settings.integer_or_auto(SettingId::kThreads).value_or(cores.count));
  if ((setting_row(SettingId::kThreads).commands & call.command->bit) != 0) {
    log.info("threads: {}{}", options.n_threads,
             settings.integer_or_auto(SettingId::kThreads) ? "" : fmt::format(" ({})", cores.reason));
  }
  options.n_ctx = settings.integer(SettingId::kCtxSize);
  options.chunk_rows = settings.integer(SettingId::kChunk);
  options.kv_dtype = kv_dtype(settings);
  options.fuse = settings.boolean(SettingId::kFuse);
  options.sync_copies = settings.boolean(SettingId::kSyncCopies);
  options.memory_limit = settings.size_bytes(SettingId::kMemoryLimit);
  options.log = log;
  if (messages_are_terminal() && !is_quiet(call)) options.load_progress = show_load_progress();
  return options;
}

void note_context(const Engine& engine, const Settings& settings, const Log& log) {
  const int64_t asked = settings.integer(SettingId::kCtxSize);
  if (!settings.is_set(SettingId::kCtxSize) || asked <= engine.n_ctx()) return;
  log.warn("{} {} is more than the model was trained for; the context has {} positions",
           settings.origin(SettingId::kCtxSize), asked, engine.n_ctx());
}

}  // namespace minfer::app
