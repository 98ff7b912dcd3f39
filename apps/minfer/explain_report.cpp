#include "apps/minfer/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/minfer/suggest.h"
#include "base/error.h"
#include "runtime/kv_memory.h"

namespace minfer::app {
namespace {

using Json = nlohmann::ordered_json;

Json cost_json(const Cost& cost) {
  return {{"weight_bytes", cost.weight_bytes},
          {"read_bytes", cost.read_bytes},
          {"write_bytes", cost.write_bytes},
          {"flops", cost.flops}};
}

Json answers_json(const std::vector<DeviceAnswer>& answers) {
  Json list = Json::array();
  for (const DeviceAnswer& answer : answers) {
    list.push_back(
        {{"device", answer.device}, {"reason", reason_code(answer.support.reason)}, {"detail", answer.support.detail}});
  }
  return list;
}

Json layer_json(const std::string& layer) {
  int number = 0;
  const auto [end, error] = std::from_chars(layer.data(), layer.data() + layer.size(), number);
  return error == std::errc() ? Json(number) : Json();
}

Json node_json(const ExplainNode& node) {
  return {{"name", node.name},
          {"op", node.op},
          {"maths", node.maths},
          {"params", node.params},
          {"layer", layer_json(node.layer)},
          {"replaces", node.replaces},
          {"device", node.answers.back().device},
          {"kernel", node.kernel.kernel},
          {"isa", node.kernel.isa},
          {"layout", node.kernel.layout},
          {"cost", cost_json(node.cost)},
          {"answers", answers_json(node.answers)}};
}

// Rows of texts in columns as wide as their widest text; the numbers in `right` stand to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
  std::vector<size_t> widths(right.size(), 0);
  for (const auto& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += right[c] ? fmt::format("{:>{}}", row[c], widths[c]) : fmt::format("{:<{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// Names of nodes without those of all blocks but the first.
std::vector<std::string> first_layers(const std::vector<std::string>& names) {
  std::vector<std::string> first;
  for (const std::string& name : names) {
    if (!name.starts_with("blk.") || name.starts_with("blk.0.")) first.push_back(name);
  }
  return first;
}

// "1234", "18.3 K", "92.1 M": at most four digits, in steps of 1024 for bytes and of 1000 for operations.
std::string short_number(int64_t n, double step) {
  double value = static_cast<double>(n);
  if (value < 10000) return std::to_string(n);
  constexpr std::string_view kUnits = "KMGTPE";
  size_t unit = 0;
  for (value /= step; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= step;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

int64_t arena_bytes(const CompiledGraph& compiled) {
  int64_t total = 0;
  for (const ArenaPlan& arena : compiled.memory.arenas) total += arena.arena_bytes;
  return total;
}

int64_t kv_bytes(const Engine& engine, const CompiledGraph& body) {
  int64_t total = 0;
  for (const Value& value : body.graph.values()) {
    if (value.kind != ValueKind::kKvCache) continue;
    const Device& device = engine.devices().device(body.assignment.device[static_cast<size_t>(value.producer)]);
    total += kv_cache_bytes(device.kv_block_bytes(value.desc), 1, engine.n_ctx());
  }
  return total;
}

}  // namespace

ExplainFrame explain_frame(Engine& engine, std::string model_path) {
  ExplainFrame frame;
  frame.model_path = std::move(model_path);
  frame.context = engine.n_ctx();
  const CompiledGraph& body = engine.body_graph(1);
  const CompiledGraph& head = engine.head_graph(1);
  frame.n_body_splits = static_cast<int>(body.splits.size());
  frame.n_head_splits = static_cast<int>(head.splits.size());
  frame.arena_bytes = arena_bytes(body) + arena_bytes(head);
  frame.kv_bytes = kv_bytes(engine, body);
  frame.weight_bytes =
      static_cast<int64_t>(engine.ledger().bytes(MemoryTag::kWeights) + engine.ledger().bytes(MemoryTag::kRepacked));
  return frame;
}

std::string explain_text(const ExplainReport& report, const ExplainFrame& frame) {
  std::vector<std::vector<std::string>> rows{
      {"op", "layers", "nodes", "device", "kernel", "isa", "layout", "weights", "reads", "writes", "flops", "reason"}};
  const auto add_cost = [](std::vector<std::string>& row, const Cost& cost) {
    for (const int64_t bytes : {cost.weight_bytes, cost.read_bytes, cost.write_bytes}) {
      row.push_back(short_number(bytes, 1024));
    }
    row.push_back(short_number(cost.flops, 1000));
  };
  for (const ExplainGroup& group : report.groups) {
    std::vector<std::string> row{group.op,
                                 group.layers,
                                 std::to_string(group.n_nodes),
                                 group.device,
                                 group.kernel,
                                 group.isa,
                                 group.layout.empty() ? "-" : group.layout};
    add_cost(row, group.cost);
    row.push_back(group.reason.empty() ? "takes" : group.reason);
    rows.push_back(std::move(row));
  }
  std::vector<std::string> total{"total", "", std::to_string(report.nodes.size()), "", "", "", ""};
  add_cost(total, report.total);
  rows.push_back(std::move(total));
  std::string out =
      fmt::format("{}: one step of one row with {} positions behind it\n", printable(frame.model_path), frame.context);
  out += "(bytes: K is 1024; flops: K is 1000)\n\n";
  out += table(rows, {false, false, true, false, false, false, false, true, true, true, true, false});
  out += fmt::format("\nsplits:   {} in the body, {} in the head\n", frame.n_body_splits, frame.n_head_splits);
  out += fmt::format("fused:    {} patterns\n", report.n_fused);
  out += fmt::format("arenas:   {}\n", format_bytes(static_cast<uint64_t>(frame.arena_bytes)));
  out += fmt::format("KV:       {} for {} positions\n", format_bytes(static_cast<uint64_t>(frame.kv_bytes)),
                     frame.context);
  out += fmt::format("weights:  {}\n", format_bytes(static_cast<uint64_t>(frame.weight_bytes)));
  return out;
}

std::string explain_json(const ExplainReport& report, const ExplainFrame& frame) {
  Json json = Json::object();
  json["model"] = frame.model_path;
  json["rows"] = 1;
  json["context"] = frame.context;
  json["groups"] = Json::array();
  for (const ExplainGroup& group : report.groups) {
    json["groups"].push_back({{"op", group.op},
                              {"layers", group.layers},
                              {"n_nodes", group.n_nodes},
                              {"device", group.device},
                              {"kernel", group.kernel},
                              {"isa", group.isa},
                              {"layout", group.layout},
                              {"cost", cost_json(group.cost)},
                              {"reason", group.reason}});
  }
  json["nodes"] = Json::array();
  for (const ExplainNode& node : report.nodes) json["nodes"].push_back(node_json(node));
  json["totals"] = cost_json(report.total);
  json["totals"]["n_nodes"] = report.nodes.size();
  json["n_splits"] = report.n_splits;
  json["n_body_splits"] = frame.n_body_splits;
  json["n_head_splits"] = frame.n_head_splits;
  json["n_fused"] = report.n_fused;
  json["arena_bytes"] = frame.arena_bytes;
  json["kv_bytes"] = frame.kv_bytes;
  json["weight_bytes"] = frame.weight_bytes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string explain_why(const ExplainReport& report, std::string_view node_name, bool as_json) {
  for (const ExplainNode& node : report.nodes) {
    const bool is_part = std::find(node.replaces.begin(), node.replaces.end(), node_name) != node.replaces.end();
    if (node.name != node_name && !is_part) continue;
    if (as_json) return node_json(node).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::string out = fmt::format("{}: {}, layer {}\n  {}\n", node.name, node.op, node.layer, node.maths);
    if (!node.params.empty()) out += fmt::format("  {}\n", node.params);
    if (!node.replaces.empty()) out += fmt::format("  fused out of {}\n", fmt::join(node.replaces, ", "));
    std::vector<std::vector<std::string>> rows{{"  device", "answer", "detail"}};
    for (const DeviceAnswer& answer : node.answers) {
      rows.push_back({"  " + answer.device, std::string(reason_code(answer.support.reason)), answer.support.detail});
    }
    out += table(rows, {false, false, false});
    const std::string layout = node.kernel.layout.empty() ? "" : ", weights " + node.kernel.layout;
    return out + fmt::format("  kernel {}, {}{}\n", node.kernel.kernel, node.kernel.isa, layout);
  }
  std::vector<std::string> names;
  for (const ExplainNode& node : report.nodes) {
    names.push_back(node.name);
    std::copy_if(node.replaces.begin(), node.replaces.end(), std::back_inserter(names),
                 [&](const std::string& name) { return name != node.name; });
  }
  std::string close = did_you_mean(node_name, names, 5);
  if (close.empty()) close = fmt::format("; the nodes are: {}", fmt::join(first_layers(names), ", "));
  fail(ErrorCode::kNotFound, "there is no node '{}'{}", printable(node_name, 60), close);
}

}  // namespace minfer::app
