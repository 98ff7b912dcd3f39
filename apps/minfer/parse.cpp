// From words to an Invocation: the settings table rewrites them, CLI11 sorts them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/suggest.h"
#include "backend/device_options.h"
#include "base/argv.h"
#include "base/error.h"
#include "builtin/registry.h"

namespace minfer::app {
namespace {

std::string help_hint(const Command& command) {
  return fmt::format("Try: minfer {} --help", command.name);
}

std::string other_commands(const SettingRow& row) {
  std::vector<std::string_view> names;
  for (const SettingCommandName& entry : setting_command_names()) {
    if ((row.commands & entry.command) != 0) names.push_back(entry.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse_option(const Command& command, const std::string& word) {
  const std::string spelling = word.substr(0, word.find('='));
  const std::string message = fmt::format("unknown option '{}'", printable(spelling, 60));
  const SettingMatch elsewhere = find_setting_flag(spelling, setting_commands::kAllCommands);
  if (elsewhere.row != nullptr) {
    throw UsageError(
        fmt::format("{} for minfer {}; it belongs to: {}", message, command.name, other_commands(*elsewhere.row)),
        help_hint(command));
  }
  std::vector<std::string> known{"--help", "--version"};
  for (const SettingRow& row : setting_rows()) {
    if ((row.commands & command.bit) == 0) continue;
    for (const SettingFlag& flag : row.flags()) known.emplace_back(flag.spelling);
  }
  throw UsageError(message + did_you_mean(spelling, known),
                   help_hint(command) + " (text that starts with a dash goes behind --)");
}

// Declares an option for each setting of the command. `call` must outlive the parsing.
void declare_settings(CLI::App& parser, const Command& command, Invocation& call) {
  for (const SettingRow& row : setting_rows()) {
    if ((row.commands & command.bit) == 0 || row.canonical_flag().empty()) continue;
    const std::string flag(row.canonical_flag());
    const SettingId id = row.id;
    parser
        .add_option(flag,
                    [&call, id, flag](const CLI::results_t& values) {
                      for (const std::string& value : values) {
                        call.settings.set(id, SettingSource::kFlag, flag, value);
                      }
                      return true;
                    })
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

// Words stay with the parser as what it has no option for: a positional option of CLI11 would take "[a,b]" for a list.
void parse_words(const Command& command, std::vector<std::string> words, Invocation& call) {
  CLI::App parser;
  parser.set_help_flag();
  parser.add_flag("-h,--help", call.wants_help);
  parser.add_flag("-V,--version", call.wants_version);
  declare_settings(parser, command, call);
  parser.allow_extras();
  const auto dashes = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> options(words.begin(), dashes);
  for (const std::string& word : options) {  // CLI11 would read -hx as -h and -x
    if (word.size() > 2 && word[0] == '-' && word[1] != '-') refuse_option(command, word);
  }
  std::reverse(options.begin(), options.end());  // as CLI11 wants them
  try {
    parser.parse(options);
  } catch (const CLI::Error& error) {
    throw UsageError(error.what(), help_hint(command));
  }
  for (std::string& word : parser.remaining()) {
    if (word.size() > 1 && word.starts_with('-')) refuse_option(command, word);
    call.words.push_back(std::move(word));
  }
  if (dashes != words.end()) call.words.insert(call.words.end(), dashes + 1, words.end());
}

}  // namespace

Invocation parse_command_line(const Command& command, std::span<const std::string> args, const EnvReader& env) {
  Invocation call;
  call.command = &command;
  try {
    call.settings.read_environment(env, command.bit);
    parse_words(command, rewrite_argv(args, command.bit), call);
  } catch (const Error& error) {
    throw UsageError(error.what(), help_hint(command));
  }
  return call;
}

void raise_fence(Invocation& call) {
  std::vector<Backend> disabled;
  if (call.settings.boolean(SettingId::kDisableCuda)) disabled.push_back(kBackendCuda);
  if (call.settings.boolean(SettingId::kDisableMetal) || call.settings.boolean(SettingId::kDisableMps)) {
    disabled.push_back(kBackendMetal);
  }
  const DeviceOptions options{call.settings.text(SettingId::kCpuIsa), call.settings.boolean(SettingId::kRepack)};
  try {
    call.registry = builtin::make_registry(disabled, options);
  } catch (const Error& error) {
    throw UsageError(fmt::format("invalid {}: {}", call.settings.origin(SettingId::kCpuIsa), error.what()));
  }
  try {
    call.filter = BackendFilter::resolve(call.settings.list(SettingId::kBackend), call.registry);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  call.filter.check_available(call.registry);
}

}  // namespace minfer::app
