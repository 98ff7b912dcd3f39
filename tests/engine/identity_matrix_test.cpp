// The identity rule over the product of instruction sets, weight layouts, fusion, company, threads, chunks and KV
// types: all pairs of values on every model, the whole product on one.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "tests/engine/company.h"
#include "tests/engine/identity_matrix.h"
#include "tests/support/golden_models.h"

#if defined(__SANITIZE_THREAD__)
#define MINFER_REDUCED_MATRIX 1
#else
#define MINFER_REDUCED_MATRIX 0
#endif

namespace minfer::test {
namespace {

constexpr size_t kMaxTokens = 80;  // more than a KV block

// The sanitizer for threads makes all of this thirty times as slow: one model per architecture shows the same races.
std::vector<GoldenCase> subjects() {
  if (!MINFER_REDUCED_MATRIX) return read_manifest();
  return {golden_case("qwen2-q5_1"), golden_case("qwen3-q4_k"), golden_case("llama-f32-rope-freqs")};
}

std::vector<float> logits_at(const IdentityPoint& point, const GoldenCase& golden, std::span<const TokenId> tokens) {
  EngineOptions options = golden_options(golden);
  options.n_ctx = 128;
  options.n_sequences = point.beside_others ? 4 : 1;
  Engine engine(options_at(point, std::move(options)));
  return point.beside_others ? run_beside_others(engine, tokens) : run_alone(engine, tokens);
}

// Compares every point with the scalar kernels on raw weights: one thread, one chunk, alone, unfused.
void expect_identity(const GoldenCase& golden, std::span<const TokenId> tokens,
                     const std::vector<IdentityPoint>& points) {
  std::map<DType, std::vector<float>> references;
  for (const IdentityPoint& point : points) {
    std::vector<float>& reference = references[point.kv_dtype];
    if (reference.empty()) {
      IdentityPoint plain;
      plain.isa = "scalar";
      plain.kv_dtype = point.kv_dtype;
      reference = logits_at(plain, golden, tokens);
      ASSERT_EQ(reference.size(), tokens.size() * golden.n_vocab);
    }
    const std::vector<float> logits = logits_at(point, golden, tokens);
    ASSERT_EQ(logits.size(), reference.size()) << point_name(point);
    ASSERT_EQ(std::memcmp(logits.data(), reference.data(), reference.size() * sizeof(float)), 0) << point_name(point);
  }
}

class IdentityMatrix : public testing::TestWithParam<GoldenCase> {};

TEST_P(IdentityMatrix, HoldsForAllPairs) {
  const GoldenCase& golden = GetParam();
  const std::span<const TokenId> tokens = std::span(golden.tokens).first(std::min(golden.tokens.size(), kMaxTokens));
  const IdentityAxes axes = MINFER_REDUCED_MATRIX ? axes_of_this_machine({2, 3}, {7, 512})
                                                  : axes_of_this_machine({1, 2, 3, 7}, {1, 7, 64, 512});
  expect_identity(golden, tokens, pairwise_points(axes));
}

INSTANTIATE_TEST_SUITE_P(Models, IdentityMatrix, testing::ValuesIn(subjects()), [](const auto& param) {
  std::string name = param.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// Q4_K and Q6_K matrices, norms of q and k.
TEST(IdentityProduct, HoldsForEveryCombination) {
  const GoldenCase golden = golden_case("qwen3-q4_k");
  const IdentityAxes axes =
      MINFER_REDUCED_MATRIX ? axes_of_this_machine({2}, {5}) : axes_of_this_machine({1, 2, 3}, {1, 5, 512});
  expect_identity(golden, std::span(golden.tokens).first(12), all_points(axes));
}

TEST(PairwiseTuples, CoverEveryPairWithFewTuples) {
  const std::vector<size_t> sizes{4, 2, 2, 2, 4, 4, 3};
  using Pair = std::array<size_t, 4>;
  const auto pairs_of = [](const std::vector<std::vector<size_t>>& tuples) {
    std::set<Pair> pairs;
    for (const std::vector<size_t>& tuple : tuples) {
      for (size_t a = 0; a < tuple.size(); ++a) {
        for (size_t b = 0; b < a; ++b) pairs.insert({a, tuple[a], b, tuple[b]});
      }
    }
    return pairs;
  };
  size_t n_pairs = 0;
  for (size_t a = 0; a < sizes.size(); ++a) {
    for (size_t b = 0; b < a; ++b) n_pairs += sizes[a] * sizes[b];
  }
  EXPECT_EQ(pairs_of(pairwise_tuples(sizes)).size(), n_pairs);
  EXPECT_LE(pairwise_tuples(sizes).size(), 24U);
  EXPECT_EQ(all_tuples(sizes).size(), 4U * 2 * 2 * 2 * 4 * 4 * 3);
  EXPECT_EQ(pairwise_tuples({1, 3}), (std::vector<std::vector<size_t>>{{0, 0}, {0, 1}, {0, 2}}));
}

}  // namespace
}  // namespace minfer::test
