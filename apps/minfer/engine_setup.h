// From settings to an engine.
#pragma once

#include "apps/minfer/command.h"
#include "base/log.h"
#include "engine/engine.h"
#include "engine/options.h"

namespace minfer::app {

// The log of a command that builds an engine, after the notes of settings without effect were printed to it.
Log start_log(const Invocation& call);

// Throws UsageError for settings that do not go together.
EngineOptions engine_options(const Invocation& call, const std::string& model_path, const Log& log);

// Warns when the context that was asked for is longer than the model's.
void note_context(const Engine& engine, const Settings& settings, const Log& log);

}  // namespace minfer::app
