// The texts of --help and --version.
#pragma once

#include <string>

#include "apps/minfer/command.h"

namespace minfer::app {

std::string program_help();
std::string command_help(const Command& command);

// What this program is and what it runs on: version, build, CPU, instruction sets, backends.
std::string version_text(const Registry& registry);

}  // namespace minfer::app
