#include "engine/memory_report.h"

#include <algorithm>

#include "base/process_memory.h"

namespace minfer {
namespace {

struct FileRange {
  const std::byte* data = nullptr;
  uint64_t size_bytes = 0;
};

// Mapped bytes of the model: its tensors, or what lies before them.
std::vector<FileRange> file_ranges(const GgufModel& model, bool tensors) {
  std::vector<FileRange> ranges;
  for (const GgufFile& part : model.parts()) {
    const std::span<const std::byte> bytes = part.mapped_file()->bytes();
    const uint64_t front = std::min<uint64_t>(part.data_offset(), bytes.size());
    ranges.push_back(tensors ? FileRange{bytes.data() + front, bytes.size() - front} : FileRange{bytes.data(), front});
  }
  return ranges;
}

uint64_t resident(const std::vector<FileRange>& ranges) {
  uint64_t sum = 0;
  for (const FileRange& range : ranges) sum += resident_bytes(range.data, range.size_bytes);
  return sum;
}

MemoryRow tag_row(const Engine& engine, MemoryTag tag) {
  const MemoryLedger& ledger = engine.ledger();
  MemoryRow row{std::string(memory_tag_name(tag)), ledger.bytes(tag), 0};
  if (tag == MemoryTag::kWeights) {
    row.resident_bytes = resident(file_ranges(engine.model().file(), true));
    return row;
  }
  // What has no mapping of its own lies on the heap, where it has been written to.
  row.resident_bytes = row.entered_bytes;
  for (const MemoryLedger::Mapping& mapping : ledger.mappings()) {
    if (mapping.tag != tag) continue;
    row.resident_bytes -= mapping.bytes;
    row.resident_bytes += std::min(mapping.bytes, resident_bytes(mapping.data, mapping.bytes));
  }
  return row;
}

// Code, constants and variables of the program and its libraries, and the stack of its first thread.
uint64_t program_bytes(const GgufModel& model) {
  uint64_t sum = 0;
  for (const MemoryArea& area : memory_areas()) {
    if (area.name.empty() || area.name == "[heap]") continue;
    const bool is_model = std::ranges::any_of(model.parts(), [&](const GgufFile& part) {
      const auto data = reinterpret_cast<uintptr_t>(part.mapped_file()->bytes().data());
      return data >= area.begin && data < area.end;
    });
    if (!is_model) sum += area.resident_bytes;
  }
  return sum;
}

// What is entered in the ledger and lies on the heap.
uint64_t on_the_heap(const MemoryLedger& ledger) {
  uint64_t sum = ledger.total() - ledger.bytes(MemoryTag::kWeights);
  for (const MemoryLedger::Mapping& mapping : ledger.mappings()) sum -= mapping.bytes;
  return sum;
}

}  // namespace

uint64_t MemoryReport::explained_bytes() const {
  uint64_t sum = 0;
  for (const MemoryRow& row : rows) sum += row.resident_bytes;
  return sum;
}

uint64_t MemoryReport::unexplained_bytes() const {
  return peak_resident_bytes - std::min(peak_resident_bytes, explained_bytes());
}

MemoryReport measure_memory(const Engine& engine) {
  MemoryReport report;
  report.peak_resident_bytes = peak_resident_bytes();
  const MemoryLedger& ledger = engine.ledger();
  report.ledger_peak_bytes = ledger.peak();
  for (size_t tag = 0; tag < kMemoryTagCount; ++tag) {
    report.rows.push_back(tag_row(engine, static_cast<MemoryTag>(tag)));
  }
  report.rows.push_back({"mapped file pages", 0, resident(file_ranges(engine.model().file(), false))});
  report.rows.push_back({"program", 0, program_bytes(engine.model().file())});
  const HeapUse heap = heap_use();
  report.rows.push_back(
      {"metadata, graphs, samplers", 0, heap.used_bytes - std::min(heap.used_bytes, on_the_heap(ledger))});
  report.rows.push_back({"freed, kept by the allocator", 0, heap.freed_bytes});
  return report;
}

}  // namespace minfer
