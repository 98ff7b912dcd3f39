// What an engine's memory is used for, as far as it can be told, against what the process has taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace minfer {

struct MemoryRow {
  std::string name;
  uint64_t entered_bytes = 0;   // in the ledger; 0 for what no ledger knows
  uint64_t resident_bytes = 0;  // of these, in memory now
};

struct MemoryReport {
  std::vector<MemoryRow> rows;  // every tag of the ledger, then what the process needs besides
  uint64_t ledger_peak_bytes = 0;
  uint64_t peak_resident_bytes = 0;  // of the process

  uint64_t explained_bytes() const;  // sum of the resident bytes
  // Of the peak; 0 when more is resident than the peak said, which the system counts only roughly.
  uint64_t unexplained_bytes() const;
};

MemoryReport measure_memory(const Engine& engine);

}  // namespace minfer
