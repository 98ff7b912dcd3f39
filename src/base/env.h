// The environment, read in one place. Code takes an EnvReader, so that tests need no real variables.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace minfer {

// The value of a variable, or nothing when it is not set.
using EnvReader = std::function<std::optional<std::string>(const std::string& name)>;

// Reads the environment of this process; `main` passes it on. Not safe while another thread calls setenv.
EnvReader process_environment();

}  // namespace minfer
