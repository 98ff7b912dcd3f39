// The only getenv of the project.
#include "base/env.h"

#include <cstdlib>

namespace minfer {

EnvReader process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

}  // namespace minfer
