// The exports: what they contain, and that no name can break out of them.
#include "graph/export.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

// Quote, backslash, line break, terminal sequence, Graphviz escape, C1 control (U+009B), DEL, invalid UTF-8.
const std::string kHostile = "a\"];b\\\n\x1b[31m\\N\xc2\x9b\x7f\xff";

std::vector<std::pair<std::string, std::string>> no_notes(NodeId) {
  return {};
}

std::vector<std::pair<std::string, std::string>> device_notes(NodeId id) {
  return {{"device", "cpu"}, {"why", id == 0 ? kHostile : "takes"}};
}

// A graph whose input, node and weight carry the hostile name.
struct HostileGraph {
  WeightTable weights;
  Graph graph;

  HostileGraph() : graph(&weights) {
    const WeightId w = weights.add(kHostile, f32({16, 8}), kNone);
    GraphBuilder b(&weights, 4);
    b.output(matmul(b, b.input(kHostile, f32({4, 8})), w, kNone, kHostile));
    graph = b.take();
  }
};

size_t count_text(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has_raw_controls(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n') || c == 0x7F || c == 0xFF) return true;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

// Quoted strings in a DOT statement that are closed, with escapes honoured; -1 when one stays open.
int closed_strings(const std::string& line) {
  int closed = 0;
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (inside && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      closed += inside;
      inside = !inside;
    }
  }
  return inside ? -1 : closed;
}

TEST(ExportJson, CarriesNodesValuesAndCosts) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const auto json = nlohmann::json::parse(to_json(graph, {3, 100}, device_notes));
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["inputs"], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(json["outputs"], (std::vector<int>{18}));
  ASSERT_EQ(json["nodes"].size(), 15u);
  ASSERT_EQ(json["values"].size(), 19u);

  const auto& q = json["nodes"][4];
  EXPECT_EQ(q["id"], 4);
  EXPECT_EQ(q["name"], "blk.0.attn_q");
  EXPECT_EQ(q["op"], "matmul");
  EXPECT_EQ(q["maths"], "y = W·x + b");
  EXPECT_EQ(q["layer"], 0);
  EXPECT_EQ(q["inputs"], (std::vector<int>{7}));
  EXPECT_EQ(q["outputs"], (std::vector<int>{8}));
  EXPECT_EQ(q["weights"][0]["name"], "blk.0.attn_q.weight");
  EXPECT_EQ(q["weights"][0]["type"], "Q4_0 [64, 64]");
  EXPECT_EQ(q["weights"][1]["name"], "blk.0.attn_q.bias");
  EXPECT_EQ(q["params"], "");
  EXPECT_EQ(q["cost"]["weight_bytes"], 2560);
  EXPECT_EQ(q["cost"]["read_bytes"], 240);
  EXPECT_EQ(q["cost"]["write_bytes"], 768);
  EXPECT_EQ(q["cost"]["flops"], 24576);
  EXPECT_EQ(q["device"], "cpu");
  EXPECT_EQ(q["why"], "takes");
  EXPECT_TRUE(json["nodes"][0]["layer"].is_null());
  EXPECT_EQ(json["nodes"][2]["params"], "eps=1e-06");
}

TEST(ExportJson, DescribesEveryKindOfValue) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const auto json = nlohmann::json::parse(to_json(graph, {3, 100}, no_notes));
  EXPECT_EQ(json["values"][3], (nlohmann::json{{"id", 3},
                                               {"name", "block_tables"},
                                               {"type", "I32"},
                                               {"shape", {8, 5}},
                                               {"kind", "input"},
                                               {"producer", -1}}));
  EXPECT_EQ(json["values"][12], (nlohmann::json{{"id", 12},
                                                {"name", "blk.0.kv"},
                                                {"type", "F16"},
                                                {"shape", {64, 2, 32}},
                                                {"kind", "kv_cache"},
                                                {"producer", 8}}));
  EXPECT_EQ(json["values"][18]["kind"], "activation");
}

TEST(ExportJson, HostileNamesStayText) {
  const HostileGraph hostile;
  const std::string text = to_json(hostile.graph, {1, 1}, device_notes);
  EXPECT_FALSE(has_raw_controls(text));
  const auto json = nlohmann::json::parse(text);
  // Invalid UTF-8 becomes U+FFFD, everything else comes back as it was.
  const std::string expected = kHostile.substr(0, kHostile.size() - 1) + "\xEF\xBF\xBD";
  EXPECT_EQ(json["nodes"][0]["name"], expected);
  EXPECT_EQ(json["nodes"][0]["weights"][0]["name"], expected);
  EXPECT_EQ(json["nodes"][0]["why"], expected);
  EXPECT_EQ(json["values"][0]["name"], expected);
  EXPECT_EQ(json["nodes"].size(), 1u);
}

TEST(ExportDot, HasEveryNodeInputAndEdge) {
  const SampleWeights weights;
  const Graph graph = sample_graph(weights, 8);
  const std::string dot = to_dot(graph, device_notes);
  EXPECT_EQ(dot.rfind("digraph minfer {\n", 0), 0u);
  EXPECT_EQ(dot.substr(dot.size() - 2), "}\n");
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    const std::string line = "  n" + std::to_string(id) + " [label=\"" + graph.node(id).name + "\\n" +
                             std::string(op_def(graph.node(id).op).name) + "\\ndevice: cpu";
    EXPECT_EQ(count_text(dot, line), 1u) << line;
  }
  EXPECT_EQ(count_text(dot, "shape=ellipse"), 4u);
  EXPECT_EQ(count_text(dot, "  v0 [shape=ellipse, label=\"tokens\\nI32 [8]\"];\n"), 1u);
  size_t n_edges = 0;
  for (const Node& node : graph.nodes()) n_edges += node.inputs.size();
  EXPECT_EQ(count_text(dot, " -> "), n_edges);
  EXPECT_EQ(count_text(dot, "  v0 -> n0 [label=\"[8]\"];\n"), 1u);
  EXPECT_EQ(count_text(dot, "  n13 -> n14 [label=\"[8, 96]\"];\n"), 1u);
}

TEST(ExportDot, HostileNamesStayInsideTheirLabels) {
  const HostileGraph hostile;
  const std::string dot = to_dot(hostile.graph, device_notes);
  EXPECT_FALSE(has_raw_controls(dot));
  std::istringstream lines(dot);
  int n_lines = 0;
  for (std::string line; std::getline(lines, line); ++n_lines) {
    EXPECT_EQ(closed_strings(line), count_text(line, "label=") + count_text(line, "fontname=")) << line;
  }
  EXPECT_EQ(n_lines, 7) << "three lines of head, an input, a node, an edge, the end";
  EXPECT_EQ(count_text(dot, "a\\\"];b\\\\\\\\x0A\\\\x1B[31m\\\\N\\\\xC2\\\\x9B\\\\x7F\\\\xFF"), 3u) << dot;
}

TEST(Export, WorksWithoutNotes) {
  const HostileGraph hostile;
  EXPECT_EQ(to_dot(hostile.graph, nullptr), to_dot(hostile.graph, no_notes));
  EXPECT_EQ(to_json(hostile.graph, {1, 1}, nullptr), to_json(hostile.graph, {1, 1}, no_notes));
}

TEST(Export, IsTheSameEveryTime) {
  const SampleWeights weights;
  EXPECT_EQ(to_json(sample_graph(weights, 8), {3, 100}, no_notes),
            to_json(sample_graph(weights, 8), {3, 100}, no_notes));
}

}  // namespace
}  // namespace minfer
