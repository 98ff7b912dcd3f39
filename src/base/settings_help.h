// The texts that the settings table writes by itself.
#pragma once

#include <string>

namespace minfer {

// The options of one subcommand (a bit of setting_commands) in groups, in aligned columns of at most 100 characters,
// with default, range and environment variable.
std::string settings_help(unsigned command);

// docs/settings.md: one table for each group, every setting in it.
std::string settings_markdown();

}  // namespace minfer
