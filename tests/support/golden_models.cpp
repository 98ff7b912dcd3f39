#include "tests/support/golden_models.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "builtin/registry.h"

namespace minfer::test {
namespace {

double log_sum_exp(std::span<const float> logits) {
  const double max = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float logit : logits) sum += std::exp(static_cast<double>(logit) - max);
  return max + std::log(sum);
}

GoldenCase parse_case(const nlohmann::json& json) {
  GoldenCase golden;
  golden.name = json.at("name");
  golden.arch = json.at("arch");
  golden.dtype = json.at("dtype");
  golden.gguf = golden_folder() + json.at("gguf").get<std::string>();
  golden.logits = golden_folder() + json.at("logits").get<std::string>();
  golden.tokens = json.at("tokens").get<std::vector<TokenId>>();
  golden.n_vocab = json.at("n_vocab");
  golden.n_positions = json.at("n_positions");
  golden.first_position = json.at("first_position");
  golden.logits_std = json.at("logits_std");
  golden.max_abs_difference = json.at("bar").value("max_abs_logit_difference", 0.0);
  golden.max_mean_kl = json.at("bar").value("max_mean_kl", 0.0);
  return golden;
}

}  // namespace

void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.name;
}

std::string golden_folder() {
  return MINFER_SOURCE_DIR "/tests/data/models/";
}

std::vector<GoldenCase> read_manifest() {
  std::ifstream file(golden_folder() + "manifest.json");
  const nlohmann::json manifest = nlohmann::json::parse(file);
  std::vector<GoldenCase> cases;
  for (const nlohmann::json& json : manifest.at("cases")) cases.push_back(parse_case(json));
  return cases;
}

GoldenCase golden_case(const std::string& name) {
  for (GoldenCase& golden : read_manifest()) {
    if (golden.name == name) return golden;
  }
  throw std::runtime_error("the manifest has no model " + name);
}

std::vector<float> reference_logits(const GoldenCase& golden) {
  std::vector<float> logits(golden.n_positions * golden.n_vocab);
  std::ifstream file(golden.logits, std::ios::binary);
  file.read(reinterpret_cast<char*>(logits.data()), static_cast<std::streamsize>(logits.size() * sizeof(float)));
  if (!file || file.peek() != EOF) throw std::runtime_error(golden.logits + " is missing or of another size");
  return logits;
}

EngineOptions golden_options(const GoldenCase& golden) {
  EngineOptions options;
  options.model_path = golden.gguf;
  options.registry = builtin::make_registry({});
  options.n_ctx = 0;
  options.kv_dtype = DType::kF32;
  return options;
}

std::vector<float> append(Engine& engine, SequenceId sequence, std::span<const TokenId> tokens) {
  std::vector<StepRow> rows;
  for (TokenId token : tokens) rows.push_back({sequence, token, true});
  std::vector<float> all;
  engine.step(rows,
              [&](size_t, std::span<const float> logits) { all.insert(all.end(), logits.begin(), logits.end()); });
  return all;
}

std::vector<float> run_alone(Engine& engine, std::span<const TokenId> tokens) {
  const SequenceId sequence = engine.create_sequence();
  std::vector<float> all = append(engine, sequence, tokens);
  engine.release(sequence);
  return all;
}

double divergence(std::span<const float> reference, std::span<const float> logits) {
  const double reference_norm = log_sum_exp(reference);
  const double norm = log_sum_exp(logits);
  double sum = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    const double log_p = static_cast<double>(reference[i]) - reference_norm;
    sum += std::exp(log_p) * (log_p - (static_cast<double>(logits[i]) - norm));
  }
  return sum;
}

}  // namespace minfer::test
