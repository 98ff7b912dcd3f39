// Turns every spelling of a setting into one canonical form before the command-line library sees it: CLI11 cannot
// declare llama.cpp's -ngl, -st or -tb, and would take a value that starts with a dash for a flag.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace minfer {

// `args` are the words behind the program's name and the subcommand; `commands` is the subcommand's bit
// (setting_commands). Known flags come out as "--canonical=value", switches as "--canonical=on" or "=off"; an optional
// value that is not given is the first choice. A value that is empty stays a word of its own behind its flag.
// Everything else, unknown flags and all words behind "--" included, passes unchanged. kInvalidArgument: "missing value
// for -ngl",
// "--no-mmap takes no value".
std::vector<std::string> rewrite_argv(std::span<const std::string> args, unsigned commands);

}  // namespace minfer
