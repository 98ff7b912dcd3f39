// What `minfer run` says about an answer when it is complete: timings for a person, or one JSON object.
#pragma once

#include <string>

#include "engine/generate.h"

namespace minfer::app {

struct RunReport {
  const GenerateResult* result = nullptr;
  std::string model_path;
  double load_s = 0;
  uint64_t peak_resident_bytes = 0;  // of the process; file pages that are mapped count
  const MemoryLedger* ledger = nullptr;
};

// Lines for standard error, behind an empty one: the answer may lack a line end.
std::string report_text(const RunReport& report);

// One line with a line end.
std::string report_json(const RunReport& report);

}  // namespace minfer::app
