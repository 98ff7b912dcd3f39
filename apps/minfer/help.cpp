#include "apps/minfer/help.h"

#include <fmt/format.h>

#include "apps/minfer/build_commit.h"
#include "base/cpu_info.h"
#include "base/settings_help.h"
#include "builtin/isa.h"

namespace minfer::app {

std::string program_help() {
  std::string out =
      "minfer runs language models from GGUF files on this machine.\n\n"
      "Usage: minfer MODEL [PROMPT...] [OPTIONS]     the same as minfer run\n"
      "       minfer COMMAND [OPTIONS]\n\n"
      "Commands:\n";
  for (const Command& command : commands()) out += fmt::format("  {:<12}{}\n", command.name, command.about);
  out +=
      "\nOptions of every command:\n"
      "  -m, --model FILE    the model; the first word when it is not given\n"
      "  --backend NAME      let only the CPU and these backends take part (MINFER_BACKENDS)\n"
      "  -h, --help          help of the program or of a command, and end\n"
      "  -V, --version       version, build, CPU and backends, and end\n\n"
      "Examples:\n"
      "  minfer model.gguf \"Why is the sky blue?\"\n"
      "  minfer run -m model.gguf --temp 0 -n 100 < question.txt\n"
      "  minfer info model.gguf\n"
      "  minfer run --help\n\n"
      "Exit status: 0 success; 1 failure; 2 wrong use of the command line; 130 ended by Ctrl-C.\n";
  return out;
}

std::string command_help(const Command& command) {
  std::string out = fmt::format("Usage: minfer {} {}\n\n{}.\n", command.name, command.synopsis, command.about);
  if (!command.details.empty()) out += fmt::format("\n{}", command.details);
  out += fmt::format("\nExamples:\n{}\n{}", command.examples, settings_help(command.bit));
  out +=
      "\nHelp:\n"
      "  -h, --help                      Print this text and end.\n"
      "  -V, --version                   Print version, build, CPU and backends, and end.\n\n"
      "Exit status: 0 success; 1 failure; 2 wrong use of the command line; 130 ended by Ctrl-C.\n";
  return out;
}

std::string version_text(const Registry& registry) {
  const CpuFeatures features = detect_cpu_features();
  std::vector<std::string> sets;
  for (const builtin::CpuIsa& isa : builtin::cpu_isas()) {
    sets.push_back(isa.name + (isa.is_chosen ? " (chosen)" : isa.is_available ? "" : " (not on this machine)"));
  }
  std::vector<std::string> backends;
  for (const BackendEntry* entry : registry.by_priority()) {
    const auto reason = entry->unavailable();
    backends.push_back(entry->backend.name() + (reason ? " (not available)" : ""));
  }
  std::string out = fmt::format("minfer v{}\n", MINFER_VERSION);
  out += fmt::format("build:     {}, {}, {}\n", build_commit(), MINFER_BUILD_TYPE, MINFER_COMPILER);
  out += fmt::format("cpu:       {}\n", cpu_model_name());
  out += fmt::format("features:  {}\n", fmt::join(cpu_feature_names(features), " "));
  out += fmt::format("isa:       {}\n", fmt::join(sets, ", "));
  out += fmt::format("threads:   {}\n", usable_cores().reason);
  out += fmt::format("backends:  {}\n", fmt::join(backends, ", "));
  return out;
}

}  // namespace minfer::app
