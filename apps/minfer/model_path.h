// The model that a command was given.
#pragma once

#include <string>
#include <vector>

#include "apps/minfer/command.h"

namespace minfer::app {

struct ModelAndWords {
  std::string path;
  std::vector<std::string> words;  // behind the model
};

// -m, or the first word. Throws UsageError when there is neither; kNotFound or kInvalidArgument when the path is
// missing or a directory, whose .gguf files are named then. Also UsageError when a file to write has no name or is the
// model itself, under whatever name.
ModelAndWords take_model(const Invocation& call);

// Throws UsageError naming the first of `words`, for commands that take none.
void refuse_words(const Invocation& call, const std::vector<std::string>& words);

}  // namespace minfer::app
