// The texts of `minfer explain`.
#pragma once

#include <string>
#include <string_view>

#include "engine/explain.h"

namespace minfer::app {

// What an explanation is about, besides its nodes.
struct ExplainFrame {
  std::string model_path;
  int64_t context = 0;  // positions behind the one row of the step
  int n_body_splits = 0;
  int n_head_splits = 0;
  int64_t arena_bytes = 0;  // of body and head, all devices
  int64_t kv_bytes = 0;     // for one sequence of full length
  int64_t weight_bytes = 0;
};

ExplainFrame explain_frame(Engine& engine, std::string model_path);

std::string explain_text(const ExplainReport& report, const ExplainFrame& frame);
std::string explain_json(const ExplainReport& report, const ExplainFrame& frame);

// What every device answered for one node. Throws kNotFound with close names.
std::string explain_why(const ExplainReport& report, std::string_view node_name, bool as_json);

}  // namespace minfer::app
