// The table itself and its small parsers of comma and bar lists.
#include "base/settings_table.h"

namespace minfer {

namespace {

using namespace setting_commands;
using enum SettingType;

constexpr SettingDomain any() {
  return {};
}
constexpr SettingDomain range(int64_t lowest, int64_t highest) {
  return {true, lowest, highest, {}};
}
constexpr SettingDomain choices(std::string_view names) {
  return {false, 0, 0, names};
}

#define MINFER_SETTING(id, type, domain, default_text, flags, variable, commands, group, value_name, note, sentence) \
  SettingRow{SettingId::id,       type,       domain, default_text, flags, variable, commands,                       \
             SettingGroup::group, value_name, note,   sentence},
constexpr SettingRow kRows[] = {
#include "base/settings_list.inc"
};
#undef MINFER_SETTING

constexpr SettingCommandName kCommandNames[] = {
    {kRun, "run"},           {kEval, "eval"},         {kInfo, "info"},
    {kExplain, "explain"},   {kTokenize, "tokenize"}, {kDetokenize, "detokenize"},
    {kTemplate, "template"}, {kBench, "bench"},
};

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

}  // namespace

std::span<const SettingCommandName> setting_command_names() {
  return kCommandNames;
}

std::string_view setting_group_heading(SettingGroup group) {
  switch (group) {
    case SettingGroup::kPrompt: return "Model and prompt";
    case SettingGroup::kText: return "Input";
    case SettingGroup::kTemplateGroup: return "Template";
    case SettingGroup::kSampling: return "Sampling";
    case SettingGroup::kStopping: return "Stopping";
    case SettingGroup::kBenchmark: return "Benchmark";
    case SettingGroup::kEngine: return "Engine";
    case SettingGroup::kDevices: return "Devices";
    case SettingGroup::kOutput: return "Output";
    case SettingGroup::kDiagnostics: return "Diagnostics";
    case SettingGroup::kCompatibility: return "Accepted from llama.cpp, without effect";
  }
  return "";
}

std::span<const SettingRow> setting_rows() {
  return kRows;
}

const SettingRow& setting_row(SettingId id) {
  return kRows[static_cast<size_t>(id)];
}

std::vector<SettingFlag> SettingRow::flags() const {
  std::vector<SettingFlag> result;
  for (std::string_view spelling : split(flags_text, ',')) {
    const bool negated = spelling.starts_with('!');
    if (negated) spelling.remove_prefix(1);
    result.push_back({spelling, negated});
  }
  return result;
}

std::string_view SettingRow::variable() const {
  return variable_negated() ? variable_text.substr(1) : variable_text;
}

std::string_view SettingRow::canonical_flag() const {
  for (const SettingFlag& flag : flags()) {
    if (flag.spelling.starts_with("--")) return flag.spelling;
  }
  return {};
}

std::string_view SettingRow::display_name() const {
  const std::string_view flag = canonical_flag();
  return flag.empty() ? variable() : flag;
}

std::vector<std::string_view> SettingRow::choices() const {
  return split(domain.choices, '|');
}

SettingMatch find_setting_flag(std::string_view spelling, unsigned commands) {
  for (const SettingRow& row : kRows) {
    if ((row.commands & commands) == 0) continue;
    for (const SettingFlag& flag : row.flags()) {
      if (flag.spelling == spelling) return {&row, flag.negated};
    }
  }
  return {};
}

}  // namespace minfer
