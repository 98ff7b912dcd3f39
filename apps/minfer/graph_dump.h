// --dump-graph and --dump-graph-json: the prefill graph with devices, kernels and reasons, written to files.
#pragma once

#include "apps/minfer/command.h"
#include "engine/engine.h"

namespace minfer::app {

bool wants_graph_dump(const Settings& settings);

// Writes what was asked for, for a step of `rows` rows, and says so on standard error. Throws kIo.
void dump_graph(Engine& engine, const Settings& settings, int64_t rows);

}  // namespace minfer::app
