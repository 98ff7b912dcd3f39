// The prompt of `minfer run`: where its text comes from, and the token ids that the model is given.
#pragma once

#include <string>
#include <vector>

#include "apps/minfer/command.h"
#include "engine/text_model.h"

namespace minfer::app {

// The text out of -p, -f, the words behind the model, or standard input; "" where --fim-prefix or --fim-suffix stand
// for it. Throws UsageError when there is none or more than one, and what reading throws.
std::string read_prompt(const Invocation& call, const std::vector<std::string>& words);

// What a chat template may take: the defaults, and --template-memory.
jinja::Limits template_limits(const Settings& settings);

// Renders the prompt through the chat template (unless --raw) and encodes it; or encodes the fill-in-the-middle prompt.
// Throws what loading or rendering the template throws.
std::vector<TokenId> encode_prompt(const Invocation& call, TextModel& text_model, std::string prompt, const Log& log);

}  // namespace minfer::app
