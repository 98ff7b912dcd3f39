// The tiny models of tests/data/models with their reference logits, and runs of token sequences through an engine.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "tests/support/refusal.h"

namespace minfer::test {

// An entry of the manifest. Bars that do not apply to the type are 0.
struct GoldenCase {
  std::string name;
  std::string arch;
  std::string dtype;
  std::string gguf;    // path
  std::string logits;  // path
  std::vector<TokenId> tokens;
  size_t n_vocab = 0;
  size_t n_positions = 0;
  size_t first_position = 0;
  double logits_std = 0;
  double max_abs_difference = 0;
  double max_mean_kl = 0;

  bool is_float() const { return max_abs_difference > 0; }
};

void PrintTo(const GoldenCase& golden, std::ostream* out);

std::string golden_folder();

// All entries; throws what reading or parsing throws.
std::vector<GoldenCase> read_manifest();

// The one of that name.
GoldenCase golden_case(const std::string& name);

// The stored reference rows, [n_positions, n_vocab].
std::vector<float> reference_logits(const GoldenCase& golden);

// An engine over the program's own backends: one thread, the model's whole context, f32 key/value blocks.
EngineOptions golden_options(const GoldenCase& golden);

// Appends `tokens` to a sequence; the logits of all of them, [tokens, n_vocab].
std::vector<float> append(Engine& engine, SequenceId sequence, std::span<const TokenId> tokens);

// The same with a sequence of their own.
std::vector<float> run_alone(Engine& engine, std::span<const TokenId> tokens);

// KL divergence of softmax(logits) from softmax(reference), in nats.
double divergence(std::span<const float> reference, std::span<const float> logits);

}  // namespace minfer::test
