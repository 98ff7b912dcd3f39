#include "runtime/split.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/silu.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;
using Ids = std::vector<int32_t>;

// x → a → b → c → d; b and d read x too, d reads a.
struct Chain {
  Chain() : builder(&kNoWeights, 2) {
    x = builder.input("x", matrix(2, 4));
    a = silu(builder, x, "a");
    b = add(builder, a, x, "b");
    c = add(builder, b, a, "c");
    d = add(builder, c, x, "d");
    builder.output(d);
  }

  GraphBuilder builder;
  ValueId x, a, b, c, d;
};

TEST(Split, IsOneOnTheCpuAndStagesNothing) {
  const Chain chain;
  const std::vector<Split> splits = split_graph(chain.builder.graph(), Ids{0, 0, 0, 0});
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_EQ(splits[0].nodes, (Ids{0, 1, 2, 3}));
  EXPECT_TRUE(splits[0].inputs.empty());
}

TEST(Split, StagesGraphInputsOnOtherDevices) {
  const Chain chain;
  const std::vector<Split> splits = split_graph(chain.builder.graph(), Ids{1, 1, 1, 1});
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_EQ(splits[0].inputs, Ids{chain.x});
}

TEST(Split, CutsWhereTheDeviceChanges) {
  const Chain chain;
  const std::vector<Split> splits = split_graph(chain.builder.graph(), Ids{1, 1, 0, 2});
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[0].device, 1);
  EXPECT_EQ(splits[0].nodes, (Ids{0, 1}));
  EXPECT_EQ(splits[0].inputs, Ids{chain.x});
  EXPECT_EQ(splits[1].inputs, (Ids{chain.b, chain.a}));
  EXPECT_EQ(splits[2].inputs, (Ids{chain.c, chain.x}));
}

TEST(Split, StagesAValueOncePerDevice) {
  const Chain chain;
  const std::vector<Split> splits = split_graph(chain.builder.graph(), Ids{1, 0, 0, 1});
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[0].inputs, Ids{chain.x});
  EXPECT_EQ(splits[2].inputs, Ids{chain.c});
  EXPECT_EQ(splits[2].foreign, (Ids{chain.c, chain.x}));
}

TEST(Split, KeepsToTheLargestNumberOfNodes) {
  const Chain chain;
  const std::vector<Split> splits = split_graph(chain.builder.graph(), Ids{1, 1, 1, 0}, 1);
  ASSERT_EQ(splits.size(), 4u);
  EXPECT_EQ(splits[0].inputs, Ids{chain.x});
  EXPECT_TRUE(splits[1].inputs.empty());
  EXPECT_EQ(splits[1].foreign, Ids{chain.x});
}

}  // namespace
}  // namespace minfer::test
