#include "engine/explain.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

const ExplainGroup* find_group(const ExplainReport& report, const std::string& op, const std::string& kernel) {
  for (const ExplainGroup& group : report.groups) {
    if (group.op == op && group.kernel == kernel) return &group;
  }
  return nullptr;
}

class Explain : public testing::Test {
 protected:
  Explain() : engine_(golden_options(golden_case("qwen2-f32"))), report_(explain(engine_, 1, 32)) {}

  Engine engine_;
  ExplainReport report_;
};

TEST_F(Explain, ListsEveryNodeOfBodyAndHead) {
  const int n = engine_.body_graph(1).graph.n_nodes() + engine_.head_graph(1).graph.n_nodes();
  EXPECT_EQ(report_.nodes.size(), static_cast<size_t>(n));
  std::set<std::string> names;
  for (const ExplainNode& node : report_.nodes) {
    names.insert(node.name);
    EXPECT_EQ(node.answers.back().device, "cpu");
    EXPECT_FALSE(node.kernel.kernel.empty());
    EXPECT_FALSE(node.kernel.isa.empty());
    EXPECT_FALSE(node.maths.empty());
  }
  EXPECT_EQ(names.size(), report_.nodes.size());
  EXPECT_TRUE(names.contains("blk.1.attn"));
  EXPECT_EQ(report_.n_splits, 2);
  EXPECT_EQ(report_.n_fused, 5) << "gate_up twice, three norms with the residual before them";
}

TEST_F(Explain, SaysWhichNodesAFusedOneReplaces) {
  for (const ExplainNode& node : report_.nodes) {
    if (node.op != "gate_up" && node.op != "add_rms_norm") {
      EXPECT_EQ(node.replaces, std::vector<std::string>());
    }
    if (node.name != "blk.0.ffn_gated") continue;
    EXPECT_EQ(node.op, "gate_up");
    EXPECT_EQ(node.replaces,
              (std::vector<std::string>{"blk.0.ffn_gate", "blk.0.ffn_up", "blk.0.ffn_silu", "blk.0.ffn_gated"}));
  }
  const CompiledGraph& body = engine_.body_graph(1);
  const NodeId gated = body.graph.value(body.graph.find_value("blk.0.ffn_gated")).producer;
  const std::pair<std::string, std::string> expected{"replaces",
                                                     "blk.0.ffn_gate, blk.0.ffn_up, blk.0.ffn_silu, blk.0.ffn_gated"};
  EXPECT_EQ(node_notes(engine_.devices(), body, gated).back(), expected);
}

TEST_F(Explain, GroupsNodesThatRunAlike) {
  int n_nodes = 0;
  Cost sum;
  for (const ExplainGroup& group : report_.groups) {
    n_nodes += group.n_nodes;
    sum += group.cost;
    EXPECT_EQ(group.device, "cpu");
    EXPECT_EQ(group.reason, "");
  }
  EXPECT_EQ(n_nodes, static_cast<int>(report_.nodes.size()));
  EXPECT_EQ(sum.flops, report_.total.flops);
  EXPECT_EQ(sum.weight_bytes, report_.total.weight_bytes);
  const ExplainGroup* attention = find_group(report_, "attention", "attention F32");
  ASSERT_NE(attention, nullptr);
  EXPECT_EQ(attention->n_nodes, 2);
  EXPECT_EQ(attention->layers, "0-1");
  EXPECT_EQ(report_.groups[0].op, "embed");
  EXPECT_EQ(report_.groups[0].layers, "-");
}

// Every matrix of the file is read once for one token, of the untied embedding a single row.
TEST_F(Explain, CountsTheBytesOfAllWeights) {
  int64_t expected = 0;
  for (const WeightInfo& info : engine_.model().weights().all()) {
    expected += info.name == "token_embd.weight" ? info.desc.row_bytes() : info.desc.size_bytes();
  }
  EXPECT_EQ(report_.total.weight_bytes, expected);
}

TEST_F(Explain, GivesNotesForExports) {
  const CompiledGraph& body = engine_.body_graph(1);
  const auto notes = node_notes(engine_.devices(), body, 0);
  ASSERT_EQ(notes.size(), 4U);
  EXPECT_EQ(notes[0], (std::pair<std::string, std::string>{"device", "cpu"}));
  EXPECT_EQ(notes[1].first, "kernel");
  EXPECT_EQ(notes[2].first, "isa");
  EXPECT_EQ(notes[3].first, "layout");
}

TEST_F(Explain, RunsNothingAndHoldsNoMemoryOfAStep) {
  EXPECT_EQ(engine_.ledger().bytes(MemoryTag::kKv), 0U);
  EXPECT_EQ(engine_.ledger().bytes(MemoryTag::kActivations), 0U);
}

}  // namespace
}  // namespace minfer::test
