#include "apps/minfer/graph_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "apps/minfer/output.h"
#include "base/error.h"
#include "engine/explain.h"
#include "graph/export.h"

namespace minfer::app {
namespace {

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail(ErrorCode::kIo, "cannot create '{}': {}", printable(path, 500), std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) {
    fail(ErrorCode::kIo, "cannot write '{}': {}", printable(path, 500), std::strerror(written ? errno : error));
  }
}

}  // namespace

bool wants_graph_dump(const Settings& settings) {
  return settings.is_set(SettingId::kDumpGraph) || settings.is_set(SettingId::kDumpGraphJson);
}

void dump_graph(Engine& engine, const Settings& settings, int64_t rows) {
  rows = std::min(rows, engine.options().chunk_rows);
  const CompiledGraph& compiled = engine.body_graph(rows);
  const NodeNotes notes = [&](NodeId id) { return node_notes(engine.devices(), compiled, id); };
  if (settings.is_set(SettingId::kDumpGraph)) {
    const std::string& path = settings.text(SettingId::kDumpGraph);
    write_file(path, to_dot(compiled.graph, notes));
    write_message(fmt::format("Graph DOT exported to {} ({} nodes)", printable(path, 500), compiled.graph.n_nodes()));
  }
  if (settings.is_set(SettingId::kDumpGraphJson)) {
    const std::string& path = settings.text(SettingId::kDumpGraphJson);
    write_file(path, to_json(compiled.graph, {rows, rows}, notes) + "\n");
    write_message(fmt::format("Graph JSON exported to {} ({} nodes, {})", printable(path, 500),
                              compiled.graph.n_nodes(), rows == 1 ? "decode" : "prefill"));
  }
}

}  // namespace minfer::app
