// One case of the conformance suite: a small graph, the data of one or more steps, and what must come out. It runs on
// the scalar reference and on every subject (subjects.h): the reference must give the expected values, which the test
// computed by itself, and each subject must give the reference's bytes (NaN equal to NaN).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/builder.h"
#include "tests/ops/data.h"
#include "tests/ops/subjects.h"

namespace minfer::ops_test {

// Memory that nobody wrote. Inputs and caches: NaN as f32 and as f16, -1 as an integer. Results: something else, which
// no arithmetic on poison gives, so that a write to a row that is not in use shows.
inline constexpr std::byte kPoison{0xFF};
inline constexpr std::byte kUnwritten{0xA5};

class OpCase {
 public:
  // A graph for `capacity` rows. Weights are added before inputs and nodes.
  OpCase(std::string name, int64_t capacity);
  OpCase(const OpCase&) = delete;
  OpCase& operator=(const OpCase&) = delete;

  GraphBuilder& builder() { return builder_; }
  WeightId weight(const std::string& name, DType dtype, const Shape& shape, const Bytes& data);
  // `dims` follow the rows: {} is a value per row.
  ValueId input(const std::string& name, DType dtype, const std::vector<int64_t>& dims);

  // Starts the data of the next step: `rows` rows in use, of which nodes 0 … n_nodes-1 run (by default all that the
  // graph has in the end).
  void step(int64_t rows, int n_nodes = -1);
  // The input's first rows in this step; the rest of its memory is poison.
  void feed(ValueId input, Bytes data);
  // The cache that node outputs are is `n` blocks.
  void set_kv_blocks(int64_t n) { kv_blocks_ = n; }

  // What `value` holds after the last step: the rows in use, or the whole cache (in the CPU's layout).
  void expect(ValueId value, Bytes data);
  // All steps must end with this error, whose text has `part` in it.
  void expect_error(ErrorCode code, std::string part);

  void register_weights(Device& device) const;

  // What the scalar reference leaves in `value`: the rows in use, or the whole cache. For cases that are compared with
  // another graph.
  Bytes reference(ValueId value) const;

  // Runs and compares everywhere; with --perf, prints times as well.
  void check();

 private:
  struct Step {
    int64_t rows = 0;
    int n_nodes = 0;
    std::map<ValueId, Bytes> inputs;
  };
  class HostRun;
  class DeviceRun;

  int n_nodes(const Step& step) const;
  int64_t value_bytes(ValueId id, const Device* device) const;
  bool takes_all(const Device& device, std::string& why) const;
  bool may_alias() const;
  void check_reference(HostRun& reference);
  void check_subject(const Subject& subject, const HostRun& reference, bool alias);
  void check_error(const Subject& subject);
  void check_output(const DeviceRun& run, const HostRun& reference, ValueId value) const;
  void time(const Subject& subject);

  std::string name_;
  WeightTable table_;
  std::vector<Bytes> weights_;  // [WeightId], behind kWeightOffset bytes
  GraphBuilder builder_;
  std::vector<Step> steps_;
  int64_t kv_blocks_ = 0;
  std::vector<std::pair<ValueId, Bytes>> expected_;
  std::optional<std::pair<ErrorCode, std::string>> error_;
};

// What the suite did so far.
struct ConformanceCounts {
  int64_t cases = 0;
  int64_t runs = 0;                            // a case on a subject
  int64_t aliased_runs = 0;                    // … with the output over the input
  std::map<std::string, int64_t> unsupported;  // per subject: cases that it does not take
};
const ConformanceCounts& conformance_counts();

// Whether cases print times (--perf).
void set_perf(bool on);

}  // namespace minfer::ops_test
