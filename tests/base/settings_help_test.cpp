#include "base/settings_help.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/settings_table.h"

namespace minfer {
namespace {

using namespace setting_commands;

TEST(SettingsHelp, ShowsEveryFlagOfACommandAndNoOther) {
  const std::string run = settings_help(kRun);
  const std::string tokenize = settings_help(kTokenize);
  EXPECT_NE(run.find("\nSampling:\n"), std::string::npos);
  EXPECT_NE(run.find("-t, --threads N"), std::string::npos);
  EXPECT_EQ(tokenize.find("--temp"), std::string::npos);
  for (const SettingCommandName& command : setting_command_names()) {
    const std::string help = settings_help(command.command);
    for (const SettingRow& row : setting_rows()) {
      if ((row.commands & command.command) == 0) continue;
      for (const SettingFlag& flag : row.flags()) {
        EXPECT_NE(help.find(flag.spelling), std::string::npos) << command.name << " " << flag.spelling;
      }
      EXPECT_NE(help.find(row.variable()), std::string::npos) << command.name << " " << row.variable();
    }
  }
}

TEST(SettingsHelp, AlignsItsColumns) {
  EXPECT_NE(settings_help(kRun).find(
                "  --temp, --temperature T         Temperature; 0 always takes the likeliest token. (default 0.8; 0\n"
                "                                  to 100)\n"),
            std::string::npos)
      << settings_help(kRun);
  std::istringstream lines(settings_help(kRun));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(SettingsHelp, WritesEverySettingIntoTheMarkdownTable) {
  const std::string page = settings_markdown();
  for (const SettingRow& row : setting_rows()) {
    EXPECT_NE(page.find(row.sentence), std::string::npos) << row.sentence;
    EXPECT_NE(page.find(row.variable()), std::string::npos) << row.variable();
  }
  EXPECT_NE(page.find("| `--temp, --temperature T` |  | 0.8 | 0 to 100 | run | Temperature;"), std::string::npos);
}

}  // namespace
}  // namespace minfer
