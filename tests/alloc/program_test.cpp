// The program under failing allocations: it ends with code 1 and a message, whichever one it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

// Allocations that are made to fail, spread over all of them.
constexpr uint64_t kTries = 300;

Outcome run_with(const std::vector<std::string>& args, Environment environment) {
  environment["LD_PRELOAD"] = MINFER_ALLOC_PRELOAD;
  RunOptions options;
  options.environment = std::move(environment);
  return run(args, options);
}

// Fails allocations from the first to the last one; alone, or with all behind them.
void expect_messages(const std::vector<std::string>& args) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_with(args, {{"COUNT_ALLOCATIONS", folder.path("n")}}).code, 0);
  const uint64_t n = std::stoull(read_file(folder.path("n")));
  ASSERT_GT(n, 100U);
  uint64_t n_failed = 0;
  uint64_t n_without = 0;
  for (uint64_t k = 1; k <= n; k += k < kTries / 2 ? 1 : std::max<uint64_t>(1, n / (kTries / 2))) {
    for (const bool behind : {false, true}) {
      Environment environment{{"FAIL_ALLOCATION", std::to_string(k)}};
      if (behind) environment["FAIL_BEHIND"] = "1";
      const Outcome outcome = run_with(args, environment);
      ASSERT_EQ(outcome.signal, 0) << "allocation " << k << " of " << n << "\n" << outcome.err;
      ++n_failed;
      if (outcome.code == 0) {  // one that the program does without, such as a progress line's
        ++n_without;
        continue;
      }
      ASSERT_EQ(outcome.code, 1) << "allocation " << k << " of " << n << "\n" << outcome.err;
      ASSERT_THAT(outcome.err, testing::HasSubstr("Error: ")) << "allocation " << k << " of " << n;
    }
  }
  std::printf("%s: %llu allocations, %llu runs with failures, %llu of them answered all the same\n", args[0].c_str(),
              static_cast<unsigned long long>(n), static_cast<unsigned long long>(n_failed),
              static_cast<unsigned long long>(n_without));
}

TEST(OutOfMemory, RunSaysSo) {
  expect_messages({"run", model("qwen2-f32"), "hi", "-n", "2", "-t", "2", "--json"});
}

TEST(OutOfMemory, EvalSaysSo) {
  expect_messages({"eval", model("llama-q4_1"), "--tokens", "1,2,3", "--top", "2", "-t", "2"});
}

TEST(OutOfMemory, InfoSaysSo) {
  expect_messages({"info", model("qwen2-f32"), "--json"});
}

TEST(OutOfMemory, ExplainSaysSo) {
  expect_messages({"explain", model("qwen2-f32"), "--json", "-t", "1"});
}

TEST(OutOfMemory, TokenizeSaysSo) {
  expect_messages({"tokenize", model("qwen2-f32"), "hello world"});
}

}  // namespace
}  // namespace minfer::test
