// Every setting is documented: in the help of each command that knows it, and in docs/settings.md.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "base/settings_help.h"
#include "base/settings_table.h"
#include "tests/house/source_tree.h"

namespace minfer::house {
namespace {

std::string joined(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + "\n";
  return text;
}

// The text as one line, so that a sentence is found wherever it was wrapped.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string out, word;
  while (words >> word) out += word + " ";
  return out;
}

// The settings that a user can name; one without a flag and a variable could not be set at all.
std::vector<std::string> names_of(const SettingRow& row) {
  std::vector<std::string> names;
  for (const SettingFlag& flag : row.flags()) names.emplace_back(flag.spelling);
  if (!row.variable().empty()) names.emplace_back(row.variable());
  return names;
}

TEST(SettingsDocs, HelpOfEachCommandNamesItsSettings) {
  ASSERT_GT(setting_rows().size(), 40U);
  for (const SettingCommandName& command : setting_command_names()) {
    const std::string help = unwrapped(settings_help(command.command));
    for (const SettingRow& row : setting_rows()) {
      if ((row.commands & command.command) == 0) continue;
      EXPECT_FALSE(names_of(row).empty()) << row.sentence;
      for (const std::string& name : names_of(row)) {
        EXPECT_NE(help.find(name), std::string::npos) << name << " is not in the help of " << command.name;
      }
      if (row.note.empty()) {
        EXPECT_NE(help.find(unwrapped(std::string(row.sentence))), std::string::npos)
            << "the help of " << command.name << " lacks: " << row.sentence;
      }
    }
  }
}

TEST(SettingsDocs, PageNamesEverySetting) {
  const auto pages = read_named("docs", "settings.md");
  ASSERT_EQ(pages.size(), 1U);
  const std::string page = joined(pages[0]);
  for (const SettingRow& row : setting_rows()) {
    for (const std::string& name : names_of(row)) {
      EXPECT_NE(page.find(name), std::string::npos) << name << " is not in docs/settings.md";
    }
    EXPECT_NE(page.find(row.sentence), std::string::npos) << "docs/settings.md lacks: " << row.sentence;
  }
}

TEST(SettingsDocs, PageIsTheTablesOwnText) {
  const auto pages = read_named("docs", "settings.md");
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_TRUE(joined(pages[0]) == settings_markdown()) << "docs/settings.md is old: run scripts/update_docs.sh";
}

TEST(SettingsDocs, CodeKnowsNoVariableOutsideTheTable) {
  std::set<std::string, std::less<>> variables;
  for (const SettingRow& row : setting_rows()) variables.insert(std::string(row.variable()));
  static const std::regex kVariable(R"rx("(MINFER_[A-Z0-9_]+)")rx");
  for (const SourceFile& file : read_sources({"src", "apps"})) {
    if (file.path == "src/base/settings_list.inc") continue;
    const std::string code = without_comments(file);
    for (std::sregex_iterator match(code.begin(), code.end(), kVariable), end; match != end; ++match) {
      EXPECT_TRUE(variables.contains((*match)[1].str())) << file.path << ": " << (*match)[1];
    }
  }
}

}  // namespace
}  // namespace minfer::house
