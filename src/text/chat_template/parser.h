// Parses a template into its tree; the grammar is jinja2's.
#pragma once

#include <string_view>

#include "text/chat_template/tree.h"

namespace minfer::jinja {

// Throws TemplateError with the line: syntax errors, and constructs that are not supported (by name).
Template parse(std::string_view source);

}  // namespace minfer::jinja
