// How fast a model runs on an engine: timed runs of a fixed stream of tokens, without text and without a sampler.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/own_sequence.h"

namespace minfer {

// What one timed run does, behind n_depth positions that the sequence holds already: n_prompt tokens as one step, of
// which only the last row's logits are computed, then n_gen tokens as a step each, with their logits.
struct BenchTest {
  int64_t n_prompt = 0;
  int64_t n_gen = 0;
  int64_t n_depth = 0;

  int64_t n_tokens() const { return n_prompt + n_gen; }
  int64_t n_positions() const { return n_depth + n_tokens(); }
  // "pp512", "tg128 @ d1024", "pp512+tg128".
  std::string name() const;

  bool operator==(const BenchTest&) const = default;
};

struct BenchOptions {
  int64_t n_repetitions = 5;
  bool warm_up = true;  // the prompt and one generated token, once, not timed
  const std::atomic<bool>* cancel = nullptr;
  StepProgress progress;  // hears of each timed run that is done
};

struct BenchResult {
  BenchTest test;
  std::vector<int64_t> samples_ns;  // wall-clock time of each run

  // Tokens per second of each run.
  std::vector<double> samples_ts() const;
};

struct BenchSummary {
  double mean = 0;
  double deviation = 0;  // of a sample: divided by n - 1; 0 for one value
};
BenchSummary summarize_samples(std::span<const double> values);

// The token that stands at `position` whenever a bench runs: pseudo-random, from 0 to n_vocab - 1.
TokenId bench_token(int64_t position, int64_t n_vocab);

// "qwen2 494M Q4_K_M": architecture, parameters, and the recipe that the file names (else its most common type).
std::string model_type_label(const GgufModel& file);

// Runs tests on one engine, which must outlive it. Positions that a test needs before it starts stay for the next one.
class Bench {
 public:
  explicit Bench(Engine& engine) : engine_(engine), sequence_(engine) {}

  // Throws kInvalidArgument, naming the numbers, for a test of nothing and one that the context has no room for.
  void check_fits(const BenchTest& test) const;

  // Throws what check_fits and Engine::step throw (kCancelled too), and kInvalidArgument for no repetitions.
  BenchResult measure(const BenchTest& test, const BenchOptions& options);

 private:
  void hold(int64_t n_positions, const std::atomic<bool>* cancel);
  void take(int64_t n_tokens, bool wants_logits, const std::atomic<bool>* cancel);
  void run(const BenchTest& test, const std::atomic<bool>* cancel);

  Engine& engine_;
  OwnSequence sequence_;
};

}  // namespace minfer
