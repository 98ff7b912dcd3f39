#include "engine/bench.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/philox.h"
#include "engine/limits.h"
#include "gguf/describe.h"
#include "gguf/file_type.h"

namespace minfer {
namespace {

std::string short_count(uint64_t n) {
  const auto value = static_cast<double>(n);
  if (n < 1'000'000) return fmt::format("{:.0f}K", value / 1e3);
  if (n < 999'500'000) return fmt::format("{:.0f}M", value / 1e6);
  return fmt::format("{:.1f}B", value / 1e9);
}

}  // namespace

std::string BenchTest::name() const {
  std::string name;
  if (n_prompt > 0) name += fmt::format("pp{}", n_prompt);
  if (n_gen > 0) name += fmt::format("{}tg{}", name.empty() ? "" : "+", n_gen);
  if (n_depth > 0) name += fmt::format(" @ d{}", n_depth);
  return name;
}

std::vector<double> BenchResult::samples_ts() const {
  std::vector<double> rates;
  for (const int64_t ns : samples_ns) {
    rates.push_back(1e9 * static_cast<double>(test.n_tokens()) / static_cast<double>(ns));
  }
  return rates;
}

BenchSummary summarize_samples(std::span<const double> values) {
  BenchSummary summary;
  if (values.empty()) return summary;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) summary.mean += value / n;
  if (values.size() == 1) return summary;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.deviation = std::sqrt(squares / (n - 1));
  return summary;
}

TokenId bench_token(int64_t position, int64_t n_vocab) {
  const auto at = static_cast<uint64_t>(position);
  const auto words = philox4x32({static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), 0, 0}, {0, 0});
  return static_cast<TokenId>(words[0] % static_cast<uint64_t>(n_vocab));
}

std::string model_type_label(const GgufModel& file) {
  const ModelSummary summary = summarize(file);
  std::string type = summary.file_type.value_or("");
  if (type.empty() && !summary.types.empty()) type = dtype_name(summary.types.front().dtype);
  return fmt::format("{} {} {}", printable(summary.architecture.value_or("unknown"), 40),
                     short_count(summary.n_parameters), type);
}

void Bench::check_fits(const BenchTest& test) const {
  const auto is_count = [](int64_t n) { return n >= 0 && n <= kMaxKvBlocks * kKvBlockPositions; };
  if (!is_count(test.n_prompt) || !is_count(test.n_gen) || !is_count(test.n_depth) || test.n_tokens() == 0) {
    fail(ErrorCode::kInvalidArgument, "[bench] a test of {} prompt and {} generated tokens at depth {}", test.n_prompt,
         test.n_gen, test.n_depth);
  }
  if (test.n_positions() <= engine_.n_ctx()) return;
  fail(ErrorCode::kInvalidArgument, "test {} needs {} positions, and the context has {}", test.name(),
       test.n_positions(), engine_.n_ctx());
}

BenchResult Bench::measure(const BenchTest& test, const BenchOptions& options) {
  if (options.n_repetitions < 1) fail(ErrorCode::kInvalidArgument, "[bench] {} repetitions", options.n_repetitions);
  check_fits(test);
  if (options.warm_up) {
    hold(test.n_depth, options.cancel);
    run({test.n_prompt, std::min<int64_t>(test.n_gen, 1), test.n_depth}, options.cancel);
  }
  BenchResult result;
  result.test = test;
  const auto total = static_cast<size_t>(options.n_repetitions);
  while (result.samples_ns.size() < total) {
    hold(test.n_depth, options.cancel);
    const auto start = std::chrono::steady_clock::now();
    run(test, options.cancel);
    const auto time = std::chrono::steady_clock::now() - start;
    // A clock may be too coarse for a tiny model; a rate needs a time.
    result.samples_ns.push_back(std::max<int64_t>(1, std::chrono::nanoseconds(time).count()));
    if (options.progress) options.progress(result.samples_ns.size(), total);
  }
  hold(test.n_depth, options.cancel);
  return result;
}

// Cuts the sequence to n_positions, or fills it up to there. What it holds is the stream of tokens in any case.
void Bench::hold(int64_t n_positions, const std::atomic<bool>* cancel) {
  const int64_t length = engine_.length(sequence_.id());
  if (length > n_positions) engine_.truncate(sequence_.id(), n_positions);
  if (length < n_positions) take(n_positions - length, false, cancel);
}

// The next tokens of the stream as one step; logits of the last one.
void Bench::take(int64_t n_tokens, bool wants_logits, const std::atomic<bool>* cancel) {
  const int64_t first = engine_.length(sequence_.id());
  const int64_t n_vocab = engine_.model().hparams().n_vocab;
  std::vector<StepRow> rows;
  for (int64_t i = 0; i < n_tokens; ++i) rows.push_back({sequence_.id(), bench_token(first + i, n_vocab), false});
  rows.back().wants_logits = wants_logits;
  engine_.step(
      rows, [](size_t, std::span<const float>) {}, cancel);
}

void Bench::run(const BenchTest& test, const std::atomic<bool>* cancel) {
  if (test.n_prompt > 0) take(test.n_prompt, true, cancel);
  for (int64_t i = 0; i < test.n_gen; ++i) take(1, true, cancel);
}

}  // namespace minfer
