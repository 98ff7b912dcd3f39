// What a setting is: the rows of settings_list.inc as data, and how to find one. Parsing, help, docs and the rewriting
// of llama.cpp's spellings all read this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace minfer {

enum class SettingId {
#define MINFER_SETTING(id, ...) id,
#include "base/settings_list.inc"
#undef MINFER_SETTING
};

enum class SettingType {
  kBool,          // 1 true yes on / 0 false no off; as a flag without a value
  kInt,           // whole number
  kIntOrAuto,     // whole number, or the word auto
  kFloat,         // finite decimal number
  kString,        // any text
  kEnum,          // one of its choices
  kEnumOptional,  // one of its choices; as a flag without a value: the first one
  kIntList,       // whole numbers, commas between; those of several uses are one list
  kList,          // texts, one for each use
  kSize,          // bytes: a whole number, K, M, G, T behind it for powers of 1024
};

// Sets of subcommands are bit masks of these.
namespace setting_commands {
constexpr unsigned kRun = 1u << 0;
constexpr unsigned kEval = 1u << 1;
constexpr unsigned kInfo = 1u << 2;
constexpr unsigned kExplain = 1u << 3;
constexpr unsigned kTokenize = 1u << 4;
constexpr unsigned kDetokenize = 1u << 5;
constexpr unsigned kTemplate = 1u << 6;
constexpr unsigned kBench = 1u << 7;
constexpr unsigned kModelCommands = kRun | kEval | kExplain | kBench;  // those that build an engine
constexpr unsigned kAllCommands = kModelCommands | kInfo | kTokenize | kDetokenize | kTemplate;
}  // namespace setting_commands

struct SettingCommandName {
  unsigned command;
  std::string_view name;
};
std::span<const SettingCommandName> setting_command_names();

// Headings of the help text, in its order.
enum class SettingGroup {
  kPrompt,
  kText,
  kTemplateGroup,
  kSampling,
  kStopping,
  kBenchmark,
  kEngine,
  kDevices,
  kOutput,
  kDiagnostics,
  kCompatibility
};
constexpr int kSettingGroupCount = 11;

std::string_view setting_group_heading(SettingGroup group);

// The values that a type's parser lets through.
struct SettingDomain {
  bool has_range = false;
  int64_t lowest = 0;
  int64_t highest = 0;
  std::string_view choices;  // "a|b|c"
};

struct SettingFlag {
  std::string_view spelling;  // with its dashes
  bool negated = false;       // switches off
};

struct SettingRow {
  SettingId id;
  SettingType type;
  SettingDomain domain;
  std::string_view default_text;  // "" means unset (or the empty text, the empty list)
  std::string_view flags_text;
  std::string_view variable_text;
  unsigned commands;
  SettingGroup group;
  std::string_view value_name;
  std::string_view note;  // not empty: accepted without effect, and why
  std::string_view sentence;

  std::vector<SettingFlag> flags() const;
  // The environment variable, or ""; `variable_negated` when it switches off.
  std::string_view variable() const;
  bool variable_negated() const { return variable_text.starts_with('!'); }
  // The first long spelling, or "". The one that rewrite_argv() leaves.
  std::string_view canonical_flag() const;
  // What to call the setting in a sentence: its canonical flag, else its variable.
  std::string_view display_name() const;
  bool takes_value() const { return type != SettingType::kBool; }
  std::vector<std::string_view> choices() const;
};

// All rows, indexed by SettingId.
std::span<const SettingRow> setting_rows();
const SettingRow& setting_row(SettingId id);

struct SettingMatch {
  const SettingRow* row = nullptr;
  bool negated = false;
};
// The setting of one of `commands` (a mask) that has this spelling; row is null when there is none.
SettingMatch find_setting_flag(std::string_view spelling, unsigned commands);

}  // namespace minfer
