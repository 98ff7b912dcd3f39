#include "runtime/assign.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {
namespace {

std::string plan_detail(const OffloadPlan& plan, int layer) {
  if (layer == kNone) {
    return fmt::format("nodes outside the blocks are offloaded only with all {} blocks; {} are", plan.n_layers,
                       plan.n_device_layers);
  }
  return fmt::format("block {} is not among the first {} blocks, which are offloaded", layer, plan.n_device_layers);
}

class Assigner {
 public:
  Assigner(const Graph& graph, const DeviceSet& devices, const OffloadPlan& plan)
      : graph_(graph), devices_(devices), plan_(plan), kv_readers_(static_cast<size_t>(graph.n_values())) {
    for (NodeId id = 0; id < graph.n_nodes(); ++id) {
      for (ValueId input : graph.node(id).inputs) {
        if (graph.value(input).kind == ValueKind::kKvCache) kv_readers_[static_cast<size_t>(input)].push_back(id);
      }
    }
  }

  Assignment run() {
    for (const Node& node : graph_.nodes()) choose(node);
    return std::move(result_);
  }

 private:
  void choose(const Node& node) {
    std::vector<DeviceAnswer> answers;
    for (const AskedDevice& asked : devices_.asked()) {
      answers.push_back({asked.backend, asked.name, asked.id, answer(node, asked)});
      if (!answers.back().support.takes()) continue;
      result_.device.push_back(asked.id);
      result_.answers.push_back(std::move(answers));
      return;
    }
    refuse(node, answers);
  }

  Support answer(const Node& node, const AskedDevice& asked) const {
    if (!asked.kept_out.takes()) return asked.kept_out;
    const DeviceId kv_device = device_of_kv(node);
    if (kv_device != kNone && kv_device != asked.id) {
      return {Reason::kKvElsewhere,
              fmt::format("the layer's key/value blocks lie on {}", devices_.device(kv_device).name())};
    }
    Support support = answer_alone(node, asked);
    if (support.takes()) support = answer_for_readers(node, asked);
    return support;
  }

  Support answer_alone(const Node& node, const AskedDevice& asked) const {
    if (asked.backend != kBackendCpu && !plan_.allows(node.layer)) {
      return {Reason::kOffloadPlan, plan_detail(plan_, node.layer)};
    }
    return devices_.device(asked.id).supports(graph_, node);
  }

  // A device that stores keys and values must also run what reads them.
  Support answer_for_readers(const Node& node, const AskedDevice& asked) const {
    for (ValueId output : node.outputs) {
      for (NodeId reader : kv_readers_[static_cast<size_t>(output)]) {
        const Support support = answer_alone(graph_.node(reader), asked);
        if (support.takes()) continue;
        return {Reason::kKvElsewhere,
                fmt::format("it does not run '{}', which reads these blocks ({}: {})", graph_.node(reader).name,
                            reason_code(support.reason), support.detail)};
      }
    }
    return {};
  }

  DeviceId device_of_kv(const Node& node) const {
    for (ValueId input : node.inputs) {
      const Value& value = graph_.value(input);
      if (value.kind == ValueKind::kKvCache) return result_.device[static_cast<size_t>(value.producer)];
    }
    return kNone;
  }

  [[noreturn]] void refuse(const Node& node, const std::vector<DeviceAnswer>& answers) const {
    std::string text;
    for (const DeviceAnswer& answer : answers) {
      text += fmt::format("{}{}: {} ({})", text.empty() ? "" : "; ", answer.device, reason_code(answer.support.reason),
                          answer.support.detail);
    }
    fail(ErrorCode::kUnsupported, "[assign] no device runs node '{}' ({}): {}", node.name, op_def(node.op).name, text);
  }

  const Graph& graph_;
  const DeviceSet& devices_;
  const OffloadPlan& plan_;
  std::vector<std::vector<NodeId>> kv_readers_;  // [value]; empty for values that are no key/value blocks
  Assignment result_;
};

}  // namespace

Assignment assign(const Graph& graph, const DeviceSet& devices, const OffloadPlan& plan) {
  return Assigner(graph, devices, plan).run();
}

}  // namespace minfer
