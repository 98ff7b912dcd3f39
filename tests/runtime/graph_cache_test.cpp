#include "runtime/graph_cache.h"

#include <gtest/gtest.h>

#include <set>

#include "graph/builder.h"
#include "graph/ops/silu.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;

GraphKey key_of(int64_t rows) {
  GraphKey key;
  key.rows = rows;
  return key;
}

class GraphCacheTest : public testing::Test {
 protected:
  GraphCache::Build build(int64_t rows) {
    return [this, rows] {
      GraphBuilder b(&kNoWeights, rows);
      b.output(silu(b, b.input("x", matrix(rows, 4)), "y"));
      return compile(b.take(), rig.devices, {});
    };
  }

  Rig rig{std::vector<TestDeviceOptions>{}};
};

TEST(CapacityClass, IsTheNextPowerOfTwoUpTo512) {
  EXPECT_EQ(capacity_class(1), 1);
  EXPECT_EQ(capacity_class(2), 2);
  EXPECT_EQ(capacity_class(3), 4);
  EXPECT_EQ(capacity_class(128), 128);
  EXPECT_EQ(capacity_class(129), 256);
  EXPECT_EQ(capacity_class(512), 512);
  EXPECT_THROW(capacity_class(0), Error);
  EXPECT_THROW(capacity_class(513), Error);
}

TEST_F(GraphCacheTest, CountsBuildsAndReuses) {
  GraphCache cache(4);
  const CompiledGraph& first = cache.get(key_of(1), build(1));
  EXPECT_EQ(cache.get(key_of(2), build(2)).capacity, 2);
  EXPECT_EQ(&cache.get(key_of(1), build(1)), &first);
  EXPECT_EQ(first.capacity, 1);
  EXPECT_EQ(cache.builds(), 2);
  EXPECT_EQ(cache.reuses(), 1);
}

TEST_F(GraphCacheTest, TellsKeysApartByEveryField) {
  std::vector<GraphKey> keys(9);
  keys[1].kind = GraphKind::kHead;
  keys[2].rows = 2;
  keys[3].first_layer = 1;
  keys[4].last_layer = 1;
  keys[5].with_embedding = false;
  keys[6].fuse = false;
  keys[7].kv_dtype = DType::kF32;
  keys[8].max_blocks = 1;
  GraphCache cache(9);
  std::set<uint64_t> uids;
  for (const GraphKey& key : keys) uids.insert(cache.get(key, build(1)).uid);
  EXPECT_EQ(uids.size(), 9u);
  EXPECT_EQ(cache.builds(), 9);
}

TEST_F(GraphCacheTest, DropsTheGraphUsedLongestAgo) {
  std::vector<uint64_t> evicted;
  GraphCache cache(2, [&](uint64_t uid) { evicted.push_back(uid); });
  cache.get(key_of(1), build(1));
  const uint64_t second = cache.get(key_of(2), build(2)).uid;
  cache.get(key_of(1), build(1));
  cache.get(key_of(4), build(4));
  EXPECT_EQ(evicted, std::vector<uint64_t>{second});
  EXPECT_EQ(cache.size(), 2);
  EXPECT_NE(cache.get(key_of(2), build(2)).uid, second);
  EXPECT_EQ(cache.builds(), 4);
}

TEST_F(GraphCacheTest, KeepsNothingOfABuildThatFails) {
  GraphCache cache(2);
  EXPECT_THROW(cache.get(key_of(1), []() -> CompiledGraph { fail(ErrorCode::kUnsupported, "no"); }), Error);
  EXPECT_EQ(cache.size(), 0);
  EXPECT_EQ(cache.builds(), 0);
  cache.get(key_of(1), build(1));
  EXPECT_EQ(cache.builds(), 1);
}

}  // namespace
}  // namespace minfer::test
