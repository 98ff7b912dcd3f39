// A subcommand of the program, and one call of it: settings, words and the fence, read from the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/filter.h"
#include "backend/registry.h"
#include "base/env.h"
#include "base/settings.h"

namespace minfer::app {

struct Command;

struct Invocation {
  const Command* command = nullptr;
  Settings settings;
  std::vector<std::string> words;  // what is no option, in order
  bool is_implied = false;         // `minfer MODEL …`, without the name of a command
  bool wants_help = false;
  bool wants_version = false;
  Registry registry;     // filled by raise_fence
  BackendFilter filter;  // the same
};

struct Command {
  std::string_view name;
  unsigned bit;               // of setting_commands
  std::string_view synopsis;  // behind "minfer NAME "
  std::string_view about;     // one line
  std::string_view details;   // paragraphs of the help text, each line ended
  std::string_view examples;  // lines, each ended
  int (*run)(const Invocation& call);
};

int cmd_bench(const Invocation& call);
int cmd_detokenize(const Invocation& call);
int cmd_eval(const Invocation& call);
int cmd_explain(const Invocation& call);
int cmd_info(const Invocation& call);
int cmd_run(const Invocation& call);
int cmd_template(const Invocation& call);
int cmd_tokenize(const Invocation& call);

// All commands, in the order of the help text.
std::span<const Command> commands();

// null when there is no such command.
const Command* find_command(std::string_view name);

// Reads the words behind the command's name, and the environment. Throws UsageError.
Invocation parse_command_line(const Command& command, std::span<const std::string> args, const EnvReader& env);

// Checks the requested backends, before any model is looked for. Throws UsageError for names that cannot be, Error for
// a backend that this machine does not offer.
void raise_fence(Invocation& call);

}  // namespace minfer::app
