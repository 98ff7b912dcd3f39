// The results of `minfer bench` as text: for a person, or field by field under llama-bench's names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench.h"

namespace minfer::app {

enum class BenchFormat { kTable, kMarkdown, kCsv, kJson };

// "table", "md", "csv", "json": the choices of --output.
BenchFormat bench_format(std::string_view name);

// What all results of one call have in common.
struct BenchSubject {
  std::string build_commit;
  std::string cpu_info;  // the CPU's model
  std::string cpu_isa;   // the instruction set whose kernels run
  std::string backends;  // "CPU", or several with commas between
  std::string model_path;
  std::string model_type;
  uint64_t model_bytes = 0;  // of the tensors
  uint64_t n_params = 0;
  std::string kv_type;  // of keys and values
  int64_t chunk_rows = 0;
};

struct BenchRow {
  BenchResult result;
  int n_threads = 0;
  std::string test_time;             // when the test began: "2024-05-31T12:00:00Z"
  uint64_t peak_resident_bytes = 0;  // of the process up to the end of the test
};

// Results are printed as they come: begin(), row() for each, end(). Columns are as wide as the tests' names need.
class BenchOutput {
 public:
  BenchOutput(BenchFormat format, BenchSubject subject, const std::vector<BenchTest>& tests);

  std::string begin() const;
  std::string row(const BenchRow& row);
  std::string end() const;

 private:
  struct Column {
    std::string heading;
    bool is_text = false;  // to the left
    size_t width = 0;
  };

  std::string line(const std::vector<std::string>& cells) const;
  std::vector<std::string> cells(const BenchRow& row) const;

  BenchFormat format_;
  BenchSubject subject_;
  std::vector<Column> columns_;  // of tables
  size_t n_rows_ = 0;
};

}  // namespace minfer::app
