// JSON in both directions: the data that a template is given, and the `tojson` filter.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "text/chat_template/value.h"

namespace minfer::jinja {

// Keeps the order of keys. Refuses integers beyond 64 signed bits and data nested too deep (as Failure).
Value from_json(const nlohmann::ordered_json& json);

}  // namespace minfer::jinja
