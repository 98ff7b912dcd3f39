// Every tiny model against the logits of a float64 computation, with the bars that the manifest states.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "engine/evaluate.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

// How far the stored rows of a run are from the reference.
struct Distance {
  double max_abs = 0;
  double mean_kl = 0;
  size_t n_rows = 0;
};

Distance measure(const GoldenCase& golden, DType kv_dtype) {
  EngineOptions options = golden_options(golden);
  options.n_threads = 2;
  options.kv_dtype = kv_dtype;
  Engine engine(options);
  const std::vector<float> reference = reference_logits(golden);
  Distance distance;
  evaluate(engine, golden.tokens, [&](size_t position, std::span<const float> logits) {
    if (position < golden.first_position) return;
    ++distance.n_rows;
    const std::span<const float> expected =
        std::span(reference).subspan((position - golden.first_position) * golden.n_vocab, golden.n_vocab);
    ASSERT_EQ(logits.size(), golden.n_vocab);
    for (size_t i = 0; i < logits.size(); ++i) {
      distance.max_abs = std::max(distance.max_abs, std::abs(static_cast<double>(logits[i]) - expected[i]));
    }
    distance.mean_kl += divergence(expected, logits);
  });
  distance.mean_kl /= static_cast<double>(golden.n_positions);
  return distance;
}

class GoldenModel : public testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenModel, MeetsItsBar) {
  const GoldenCase& golden = GetParam();
  const Distance distance = measure(golden, DType::kF32);
  EXPECT_EQ(distance.n_rows, golden.n_positions);
  if (golden.is_float()) {
    EXPECT_LE(distance.max_abs, golden.max_abs_difference);
  } else {
    EXPECT_LE(distance.mean_kl, golden.max_mean_kl);
  }
}

// f16 keys and values are off by at most 2^-11 of their size. The largest mean divergence measured with the float files
// is 1.1e-6 nats; with quantized ones it drowns in what the activations lose.
TEST_P(GoldenModel, StaysCloseWithKeysAndValuesInF16) {
  const GoldenCase& golden = GetParam();
  const Distance distance = measure(golden, DType::kF16);
  EXPECT_LE(distance.mean_kl, golden.is_float() ? 2e-6 : golden.max_mean_kl);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenModel, testing::ValuesIn(read_manifest()), [](const auto& param) {
  std::string name = param.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// Every architecture, and every type that weights may have.
std::set<std::string> known_kinds() {
  std::set<std::string> kinds;
#define MINFER_ARCH(name) kinds.insert(#name);
#include "model/arch_list.inc"
#undef MINFER_ARCH
  for (const DTypeInfo& info : all_dtypes()) {
    if (info.has_codec) kinds.emplace(info.name);
  }
  return kinds;
}

TEST(GoldenModels, AreAllThere) {
  std::set<std::string> listed;
  std::set<std::string> kinds;
  for (const GoldenCase& golden : read_manifest()) {
    listed.insert(std::filesystem::path(golden.gguf).filename());
    listed.insert(std::filesystem::path(golden.logits).filename());
    kinds.insert(golden.arch);
    kinds.insert(golden.dtype);
    EXPECT_NE(golden.is_float(), golden.max_mean_kl > 0) << golden.name << ": one bar";
    EXPECT_EQ(golden.tokens.size(), golden.first_position + golden.n_positions) << golden.name;
  }
  std::set<std::string> present{"manifest.json", "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder()))
    present.insert(entry.path().filename());
  listed.insert({"manifest.json", "README.md"});
  EXPECT_EQ(listed, present);
  EXPECT_EQ(kinds, known_kinds());
}

}  // namespace
}  // namespace minfer::test
