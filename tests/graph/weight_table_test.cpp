// The table of a model's weights.
#include "graph/weight_table.h"

#include <gtest/gtest.h>

#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

TEST(WeightTable, FindsWeightsByNameAndIndex) {
  WeightTable table;
  EXPECT_EQ(table.add("a", f32({2}), kNone), 0);
  EXPECT_EQ(table.add("b", {DType::kQ4_0, {4, 32}}, 7), 1);
  EXPECT_EQ(table.find("b"), 1);
  EXPECT_EQ(table.find("c"), kNone);
  EXPECT_EQ(table.at(1).name, "b");
  EXPECT_EQ(table.at(1).layer, 7);
  EXPECT_EQ(table.at(1).desc.to_string(), "Q4_0 [4, 32]");
  EXPECT_EQ(table.all().size(), 2u);
}

TEST(WeightTable, RefusesANameTwiceInPrintableText) {
  WeightTable table;
  table.add("a\x1b[2J", f32({2}), kNone);
  EXPECT_EQ(internal_error([&] { table.add("a\x1b[2J", f32({2}), kNone); }), "[weights] 'a\\x1B[2J' is added twice");
  EXPECT_EQ(table.all().size(), 1u);
}

TEST(WeightTable, RefusesIndexesOutsideIt) {
  WeightTable table;
  table.add("a", f32({2}), kNone);
  EXPECT_EQ(internal_error([&] { table.at(1); }), "[weights] no weight has the index 1");
  EXPECT_NE(internal_error([&] { table.at(kNone); }), "no error");
}

}  // namespace
}  // namespace minfer
