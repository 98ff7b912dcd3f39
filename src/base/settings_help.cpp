// Help and documentation from the table.
#include "base/settings_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace minfer {

namespace {

constexpr size_t kTextColumn = 34;
constexpr size_t kLineWidth = 100;

// "-t, --threads N" or, without a flag, the variable.
std::string left_column(const SettingRow& row) {
  std::vector<std::string_view> spellings;
  for (const SettingFlag& flag : row.flags()) spellings.push_back(flag.spelling);
  if (spellings.empty()) return std::string(row.variable());
  std::string text = fmt::format("{}", fmt::join(spellings, ", "));
  if (row.type == SettingType::kEnumOptional) return fmt::format("{} [{}]", text, row.domain.choices);
  if (row.takes_value()) text += fmt::format(" {}", row.value_name);
  return text;
}

std::string range_of(const SettingRow& row) {
  if (!row.domain.choices.empty()) return fmt::format("{}", fmt::join(row.choices(), ", "));
  if (row.domain.has_range) return fmt::format("{} to {}", row.domain.lowest, row.domain.highest);
  return {};
}

std::string meaning(const SettingRow& row) {
  if (row.note.empty()) return std::string(row.sentence);
  return fmt::format("{} No effect: {}.", row.sentence, row.note);
}

std::string right_column(const SettingRow& row) {
  if (!row.note.empty()) return meaning(row);
  std::vector<std::string> facts;
  const bool off_switch = row.type == SettingType::kBool && row.default_text == "off";
  if (!row.default_text.empty() && !off_switch) facts.push_back(fmt::format("default {}", row.default_text));
  if (const std::string range = range_of(row); !range.empty()) facts.push_back(range);
  if (!row.variable().empty() && !row.flags_text.empty()) facts.emplace_back(row.variable());
  if (facts.empty()) return meaning(row);
  return fmt::format("{} ({})", meaning(row), fmt::join(facts, "; "));
}

// `text` in lines that end before kLineWidth, each behind kTextColumn blanks but for the first.
std::string wrapped(std::string_view text) {
  std::string out;
  size_t column = kTextColumn;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const bool first = column == kTextColumn;
    if (!first && column + 1 + end > kLineWidth) {
      out += '\n' + std::string(kTextColumn, ' ');
      column = kTextColumn;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string help_entry(const SettingRow& row) {
  const std::string left = "  " + left_column(row);
  const std::string right = wrapped(right_column(row));
  if (left.size() + 2 <= kTextColumn) return fmt::format("{:<{}}{}\n", left, kTextColumn, right);
  return fmt::format("{}\n{:<{}}{}\n", left, "", kTextColumn, right);
}

// `|` would end a table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", cell(text));
}

std::string commands_of(const SettingRow& row) {
  if (row.commands == setting_commands::kAllCommands) return "all";
  std::vector<std::string_view> names;
  for (const SettingCommandName& command : setting_command_names()) {
    if ((row.commands & command.command) != 0) names.push_back(command.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string markdown_row(const SettingRow& row) {
  const std::string flags = row.flags_text.empty() ? "" : code(left_column(row));
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", flags, code(row.variable()), cell(row.default_text),
                     cell(range_of(row)), commands_of(row), cell(meaning(row)));
}

}  // namespace

std::string settings_help(unsigned command) {
  std::string out;
  for (int g = 0; g < kSettingGroupCount; ++g) {
    const auto group = static_cast<SettingGroup>(g);
    std::string entries;
    for (const SettingRow& row : setting_rows()) {
      if (row.group == group && (row.commands & command) != 0) entries += help_entry(row);
    }
    if (!entries.empty())
      out += fmt::format("{}{}:\n{}", out.empty() ? "" : "\n", setting_group_heading(group), entries);
  }
  return out;
}

std::string settings_markdown() {
  std::string out =
      "# Settings\n\nThis page is generated from the settings table (`src/base/settings_list.inc`). A flag wins over "
      "its "
      "environment variable, a variable over the default. Sizes take the suffixes K, M, G and T.\n";
  for (int g = 0; g < kSettingGroupCount; ++g) {
    const auto group = static_cast<SettingGroup>(g);
    out += fmt::format("\n## {}\n\n| flag | variable | default | values | commands | meaning |\n",
                       setting_group_heading(group));
    out += "| --- | --- | --- | --- | --- | --- |\n";
    for (const SettingRow& row : setting_rows()) {
      if (row.group == group) out += markdown_row(row);
    }
  }
  return out;
}

}  // namespace minfer
