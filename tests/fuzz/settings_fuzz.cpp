// libFuzzer target of the settings: line 1 is the words of the command ("run", "eval", …; anything else is run), lines
// NAME=VALUE up to an empty one the environment, each line behind it an argument. Any input is understood or refused
// with a UsageError, and every setting can be read as what its row says.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "base/settings_help.h"
#include "tests/fuzz/fuzz_input.h"

namespace minfer::fuzz {
namespace {

using Environment = std::map<std::string, std::string>;

Environment read_environment(Lines& lines) {
  Environment environment;
  while (!lines.empty()) {
    std::string_view line = lines.next();
    if (line.empty()) break;
    const std::string name(cut(line, "="));
    environment[name] = std::string(line);
  }
  return environment;
}

bool is_choice(const SettingRow& row, const std::string& text) {
  for (const std::string_view choice : row.choices()) {
    if (choice == text) return true;
  }
  return text == row.default_text;
}

bool in_range(const SettingDomain& domain, double value) {
  if (!domain.has_range) return true;
  return value >= static_cast<double>(domain.lowest) && value <= static_cast<double>(domain.highest);
}

// Reads the value as its type; whatever was parsed lies in the row's domain.
void check_value(const Settings& settings, const SettingRow& row) {
  switch (row.type) {
    case SettingType::kBool: settings.boolean(row.id); return;
    case SettingType::kInt:
      require(in_range(row.domain, static_cast<double>(settings.integer(row.id))), "a number in its range");
      return;
    case SettingType::kIntOrAuto:
      if (const auto value = settings.integer_or_auto(row.id)) {
        require(in_range(row.domain, static_cast<double>(*value)), "a number in its range");
      }
      return;
    case SettingType::kIntList:
      for (const int64_t value : settings.integers(row.id)) {
        require(in_range(row.domain, static_cast<double>(value)), "numbers in their range");
      }
      return;
    case SettingType::kFloat: require(in_range(row.domain, settings.number(row.id)), "a number in its range"); return;
    case SettingType::kString: settings.text(row.id); return;
    case SettingType::kEnum:
    case SettingType::kEnumOptional: require(is_choice(row, settings.text(row.id)), "one of the choices"); return;
    case SettingType::kList: settings.list(row.id); return;
    case SettingType::kSize: settings.size_bytes(row.id); return;
  }
}

void check_call(const app::Invocation& call) {
  for (const SettingRow& row : setting_rows()) {
    check_value(call.settings, row);
    require(!call.settings.origin(row.id).empty(), "every value has an origin");
    if (call.settings.is_set(row.id)) {
      require((row.commands & call.command->bit) != 0, "only the command's own settings are set");
    }
  }
  for (const std::string& note : call.settings.notes()) require(!note.empty(), "notes say something");
}

// The fence is raised as the program does; backends that cannot be are refused.
void raise(app::Invocation& call) {
  attempt({ErrorCode::kInvalidArgument, ErrorCode::kUnsupported, ErrorCode::kNotFound, ErrorCode::kDevice},
          [&] { app::raise_fence(call); });
}

}  // namespace
}  // namespace minfer::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace minfer;
  using namespace minfer::fuzz;
  Lines lines(as_text(data, size));
  const app::Command* command = app::find_command(lines.next());
  if (command == nullptr) command = app::find_command("run");
  const Environment environment = read_environment(lines);
  const EnvReader env = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<std::string> args;
  while (!lines.empty()) args.emplace_back(lines.next());
  try {
    app::Invocation call = app::parse_command_line(*command, args, env);
    check_call(call);
    raise(call);
  } catch (const app::UsageError& error) {
    require(!std::string(error.what()).empty(), "a refusal says something");
  }
  return 0;
}
