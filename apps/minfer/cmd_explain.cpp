// minfer explain: where the operations of a step run, and why.
#include "apps/minfer/command.h"
#include "apps/minfer/engine_setup.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/explain_report.h"
#include "apps/minfer/graph_dump.h"
#include "apps/minfer/memory_output.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"

namespace minfer::app {

int cmd_explain(const Invocation& call) {
  const Settings& settings = call.settings;
  const ModelAndWords model = take_model(call);
  refuse_words(call, model.words);
  const Log log = start_log(call);
  Engine engine(engine_options(call, model.path, log));
  note_context(engine, settings, log);
  if (wants_graph_dump(settings)) {
    dump_graph(engine, settings, engine.options().chunk_rows);
    return kSuccess;
  }
  const ExplainReport report = explain(engine, 1, engine.n_ctx());
  const bool as_json = settings.boolean(SettingId::kJson);
  if (settings.is_set(SettingId::kWhy)) {
    write_output(explain_why(report, settings.text(SettingId::kWhy), as_json));
  } else {
    const ExplainFrame frame = explain_frame(engine, model.path);
    write_output(as_json ? explain_json(report, frame) : explain_text(report, frame));
  }
  report_memory(engine, settings);
  return kSuccess;
}

}  // namespace minfer::app
