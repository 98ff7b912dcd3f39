#include "apps/minfer/memory_output.h"

#include <fmt/format.h>

#include "apps/minfer/output.h"

namespace minfer::app {
namespace {

double mib(uint64_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

std::string line(std::string_view name, uint64_t resident) {
  return fmt::format("{:<30}{:>12}{:>12.1f}\n", name, "", mib(resident));
}

}  // namespace

std::string memory_table(const MemoryReport& report) {
  std::string out = fmt::format("\n{:<30}{:>12}{:>12}\n", "memory (MiB)", "reserved", "resident");
  for (const MemoryRow& row : report.rows) {
    if (row.entered_bytes == 0) {
      if (row.resident_bytes != 0) out += line(row.name, row.resident_bytes);
      continue;
    }
    out += fmt::format("{:<30}{:>12.1f}{:>12.1f}\n", row.name, mib(row.entered_bytes), mib(row.resident_bytes));
  }
  out += line("explained", report.explained_bytes());
  out += line("not explained", report.unexplained_bytes());
  out += line("peak of the process", report.peak_resident_bytes);
  out.pop_back();
  return out;
}

void report_memory(const Engine& engine, const Settings& settings) {
  if (settings.boolean(SettingId::kMemory)) write_message(memory_table(measure_memory(engine)));
}

}  // namespace minfer::app
