// A context beyond one attention span and the largest chunk, cut in every way at once; identity_long.cpp has them one
// by one.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

TEST(LongContext, KeepsItsBytesHoweverTheWorkIsCut) {
  const GoldenCase golden = golden_case("llama-f32");
  ASSERT_GT(golden.tokens.size(), 512U);
  EngineOptions options = golden_options(golden);
  options.kv_dtype = DType::kF16;
  Engine whole(options);
  const std::vector<float> expected = run_alone(whole, golden.tokens);
  options.n_threads = 3;
  options.chunk_rows = 61;
  options.fuse = false;
  options.n_sequences = 2;
  options.kv_placement = [](std::span<const KvBlockId> free) { return free.size() / 2; };
  Engine cut(options);
  const std::vector<float> actual = run_alone(cut, golden.tokens);
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_EQ(std::memcmp(actual.data(), expected.data(), expected.size() * sizeof(float)), 0);
}

}  // namespace
}  // namespace minfer::test
