#include "engine/explain.h"

#include <fmt/format.h>

namespace minfer {
namespace {

// "0-3,5" for {0, 1, 2, 3, 5}; "-" when there is none.
std::string ranges_text(const std::vector<int>& layers) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < layers.size();) {
    size_t end = i + 1;
    while (end < layers.size() && layers[end] <= layers[end - 1] + 1) ++end;
    const int first = layers[i];
    const int last = layers[end - 1];
    parts.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    i = end;
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ","));
}

// What the devices asked before the last one answered.
std::string refusals_text(const std::vector<DeviceAnswer>& answers) {
  std::vector<std::string> parts;
  for (const DeviceAnswer& answer : answers) {
    if (!answer.support.takes())
      parts.push_back(fmt::format("{}: {}", answer.device, reason_code(answer.support.reason)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Device& device_of(const DeviceSet& devices, const CompiledGraph& compiled, NodeId id) {
  return devices.device(compiled.assignment.device[static_cast<size_t>(id)]);
}

struct GroupBuilder {
  ExplainReport report;
  std::vector<std::vector<int>> layers;  // [group]

  void add(const ExplainNode& node, int layer) {
    ExplainGroup group;
    group.op = node.op;
    group.device = node.answers.back().device;
    group.kernel = node.kernel.kernel;
    group.isa = node.kernel.isa;
    group.layout = node.kernel.layout;
    group.reason = refusals_text(node.answers);
    size_t at = 0;
    while (at < report.groups.size() && !alike(report.groups[at], layers[at], group, layer)) ++at;
    if (at == report.groups.size()) {
      report.groups.push_back(group);
      layers.emplace_back();
    }
    ++report.groups[at].n_nodes;
    report.groups[at].cost += node.cost;
    if (layer != kNone) layers[at].push_back(layer);
  }

  static bool alike(const ExplainGroup& a, const std::vector<int>& a_layers, const ExplainGroup& b, int b_layer) {
    return a.op == b.op && a.device == b.device && a.kernel == b.kernel && a.isa == b.isa && a.layout == b.layout &&
           a.reason == b.reason && a_layers.empty() == (b_layer == kNone);
  }
};

void add_graph(GroupBuilder& builder, const DeviceSet& devices, const CompiledGraph& compiled, const CostInput& use) {
  for (NodeId id = 0; id < compiled.graph.n_nodes(); ++id) {
    const Node& node = compiled.graph.node(id);
    ExplainNode out;
    out.name = node.name;
    out.op = op_def(node.op).name;
    out.maths = op_def(node.op).maths;
    out.params = node.params ? node.params->text() : "";
    out.layer = node.layer == kNone ? "-" : std::to_string(node.layer);
    out.replaces = compiled.replaces[static_cast<size_t>(id)];
    out.kernel = device_of(devices, compiled, id).kernel_info(compiled.graph, node);
    out.cost = compiled.graph.cost(node, use);
    out.answers = compiled.assignment.answers[static_cast<size_t>(id)];
    builder.report.total += out.cost;
    builder.add(out, node.layer);
    builder.report.nodes.push_back(std::move(out));
  }
  builder.report.n_splits += static_cast<int>(compiled.splits.size());
  builder.report.n_fused += compiled.n_fused;
}

}  // namespace

ExplainReport explain(Engine& engine, int64_t rows, int64_t context) {
  GroupBuilder builder;
  const CostInput use{rows, context};
  add_graph(builder, engine.devices(), engine.body_graph(rows), use);
  add_graph(builder, engine.devices(), engine.head_graph(1), {1, context});
  for (size_t i = 0; i < builder.layers.size(); ++i) builder.report.groups[i].layers = ranges_text(builder.layers[i]);
  return std::move(builder.report);
}

std::vector<std::pair<std::string, std::string>> node_notes(const DeviceSet& devices, const CompiledGraph& compiled,
                                                            NodeId id) {
  const KernelInfo kernel = device_of(devices, compiled, id).kernel_info(compiled.graph, compiled.graph.node(id));
  std::vector<std::pair<std::string, std::string>> notes{
      {"device", compiled.assignment.answers[static_cast<size_t>(id)].back().device},
      {"kernel", kernel.kernel},
      {"isa", kernel.isa}};
  if (!kernel.layout.empty()) notes.emplace_back("layout", kernel.layout);
  const std::vector<std::string>& replaces = compiled.replaces[static_cast<size_t>(id)];
  if (!replaces.empty()) notes.emplace_back("replaces", fmt::format("{}", fmt::join(replaces, ", ")));
  const std::string reason = refusals_text(compiled.assignment.answers[static_cast<size_t>(id)]);
  if (!reason.empty()) notes.emplace_back("not_on", reason);
  return notes;
}

}  // namespace minfer
