// Runs the conformance suite; `--perf` also times every case. Closes with what ran where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>

#include "tests/ops/conformance.h"

int main(int argc, char** argv) {
  using namespace minfer::ops_test;
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--perf") {
      fmt::print(stderr, "unknown argument '{}'; known is --perf\n", argv[i]);
      return 2;
    }
    set_perf(true);
  }
  const int result = RUN_ALL_TESTS();
  const ConformanceCounts& counts = conformance_counts();
  fmt::print("[conformance] {} cases, {} runs beside the reference, {} in place\n", counts.cases, counts.runs,
             counts.aliased_runs);
  for (const auto& [subject, n] : counts.unsupported) fmt::print("[conformance] {}: {} unsupported\n", subject, n);
  return result;
}
