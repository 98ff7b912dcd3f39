// The table behind --memory.
#pragma once

#include <string>

#include "base/settings.h"
#include "engine/memory_report.h"

namespace minfer::app {

// Lines without a line end behind the last.
std::string memory_table(const MemoryReport& report);

// Prints the table on standard error if --memory asks for it. Before the engine goes.
void report_memory(const Engine& engine, const Settings& settings);

}  // namespace minfer::app
