#include "graph/export.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace minfer {
namespace {

// Text inside a DOT double-quoted string: control characters and invalid UTF-8 as \\xNN, and no sequence of the text
// means anything to Graphviz.
std::string dot_escape(const std::string& text) {
  std::string out;
  for (char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> notes_of(const NodeNotes& notes, NodeId id) {
  if (!notes) return {};
  return notes(id);
}

std::string_view kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::kInput: return "input";
    case ValueKind::kActivation: return "activation";
    case ValueKind::kKvCache: return "kv_cache";
  }
  return "unknown";
}

nlohmann::ordered_json node_json(const Graph& graph, NodeId id, const CostInput& use, const NodeNotes& notes) {
  const Node& node = graph.node(id);
  const Cost cost = graph.cost(node, use);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  json["id"] = id;
  json["name"] = node.name;
  json["op"] = op_def(node.op).name;
  json["maths"] = op_def(node.op).maths;
  json["layer"] = node.layer == kNone ? nlohmann::ordered_json() : nlohmann::ordered_json(node.layer);
  json["inputs"] = node.inputs;
  json["weights"] = nlohmann::ordered_json::array();
  for (WeightId weight : node.weights) {
    const WeightInfo& info = graph.weights().at(weight);
    json["weights"].push_back({{"name", info.name}, {"type", info.desc.to_string()}});
  }
  json["outputs"] = node.outputs;
  json["params"] = node.params ? node.params->text() : "";
  json["cost"] = {{"weight_bytes", cost.weight_bytes},
                  {"read_bytes", cost.read_bytes},
                  {"write_bytes", cost.write_bytes},
                  {"flops", cost.flops}};
  for (const auto& [name, text] : notes_of(notes, id)) json[name] = text;
  return json;
}

}  // namespace

std::string to_dot(const Graph& graph, const NodeNotes& notes) {
  std::string out = "digraph minfer {\n  rankdir=TB;\n  node [shape=box, fontname=\"Helvetica\"];\n";
  for (ValueId id : graph.inputs()) {
    out += fmt::format("  v{} [shape=ellipse, label=\"{}\\n{}\"];\n", id, dot_escape(graph.value(id).name),
                       dot_escape(graph.value(id).desc.to_string()));
  }
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    const Node& node = graph.node(id);
    std::string label = fmt::format("{}\\n{}", dot_escape(node.name), op_def(node.op).name);
    for (const auto& [name, text] : notes_of(notes, id)) {
      label += fmt::format("\\n{}: {}", dot_escape(name), dot_escape(text));
    }
    out += fmt::format("  n{} [label=\"{}\"];\n", id, label);
  }
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    for (ValueId input : graph.node(id).inputs) {
      const NodeId producer = graph.value(input).producer;
      const std::string from = producer == kNone ? fmt::format("v{}", input) : fmt::format("n{}", producer);
      out +=
          fmt::format("  {} -> n{} [label=\"{}\"];\n", from, id, dot_escape(graph.value(input).desc.shape.to_string()));
    }
  }
  return out + "}\n";
}

std::string to_json(const Graph& graph, const CostInput& use, const NodeNotes& notes) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  json["rows"] = use.rows;
  json["nodes"] = nlohmann::ordered_json::array();
  for (NodeId id = 0; id < graph.n_nodes(); ++id) json["nodes"].push_back(node_json(graph, id, use, notes));
  json["values"] = nlohmann::ordered_json::array();
  for (ValueId id = 0; id < graph.n_values(); ++id) {
    const Value& value = graph.value(id);
    json["values"].push_back(
        {{"id", id},
         {"name", value.name},
         {"type", dtype_name(value.desc.dtype)},
         {"shape", std::vector<int64_t>(value.desc.shape.dims().begin(), value.desc.shape.dims().end())},
         {"kind", kind_name(value.kind)},
         {"producer", value.producer}});
  }
  json["inputs"] = graph.inputs();
  json["outputs"] = graph.outputs();
  // ASCII only: a name with DEL or a C1 control character cannot steer a terminal.
  return json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace minfer
