#include "tests/ops/conformance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "backend/cpu/reference.h"
#include "graph/verify.h"
#include "tests/ops/compare.h"
#include "tests/support/memory_weights.h"

namespace minfer::ops_test {
namespace {

constexpr size_t kWeightOffset = 8;  // a weight in a file is aligned to 8 bytes and to no more
constexpr auto kPerfTime = std::chrono::milliseconds(50);

ConformanceCounts counts;
bool perf = false;

std::byte filler(const Value& value) {
  return value.kind == ValueKind::kActivation ? kUnwritten : kPoison;
}

std::span<const std::byte> weight_data(const Bytes& stored) {
  return std::span<const std::byte>(stored).subspan(kWeightOffset);
}

}  // namespace

const ConformanceCounts& conformance_counts() {
  return counts;
}

void set_perf(bool on) {
  perf = on;
}

// The values of the graph in host memory of their exact size, computed by the scalar reference.
class OpCase::HostRun {
 public:
  explicit HostRun(const OpCase& owner) : case_(owner) {
    const Graph& graph = owner.builder_.graph();
    for (ValueId id = 0; id < graph.n_values(); ++id) {
      values_.emplace_back(static_cast<size_t>(owner.value_bytes(id, nullptr)), filler(graph.value(id)));
    }
  }

  void run() {
    const Graph& graph = case_.builder_.graph();
    for (const Step& step : case_.steps_) {
      for (const auto& [id, data] : step.inputs) {
        Bytes& value = values_[static_cast<size_t>(id)];
        std::fill(std::copy(data.begin(), data.end(), value.begin()), value.end(), kPoison);
      }
      for (NodeId id = 0; id < case_.n_nodes(step); ++id) run_node(graph, id, step.rows);
    }
  }

  const Bytes& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }

 private:
  void run_node(const Graph& graph, NodeId id, int64_t rows) {
    const Node& node = graph.node(id);
    cpu::NodeRun run;
    run.graph = &graph;
    run.node = &node;
    run.rows = rows;
    for (size_t i = 0; i < node.inputs.size(); ++i) run.inputs[i] = value(node.inputs[i]).data();
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      run.outputs[i] = values_[static_cast<size_t>(node.outputs[i])].data();
    }
    for (size_t i = 0; i < node.weights.size(); ++i) {
      run.weights[i] = {weight_data(case_.weights_[static_cast<size_t>(node.weights[i])]).data()};
    }
    cpu::run_node_reference(run);
  }

  const OpCase& case_;
  std::vector<Bytes> values_;  // [ValueId]
};

// The same on a device, in one buffer per value.
class OpCase::DeviceRun {
 public:
  // `alias`: output 0 of the last node lies over its input 0.
  DeviceRun(const OpCase& owner, Device& device, bool alias) : case_(owner), device_(device), alias_(alias) {
    const Graph& graph = owner.builder_.graph();
    for (ValueId id = 0; id < graph.n_values(); ++id) {
      const int64_t bytes = owner.value_bytes(id, &device);
      buffers_.push_back(device.allocate(bytes, MemoryTag::kActivations, graph.value(id).name));
      ranges_.push_back({buffers_.back().get(), 0, bytes});
      device.write(ranges_.back(), Bytes(static_cast<size_t>(bytes), filler(graph.value(id))));
    }
    const Node& last = graph.nodes().back();
    if (alias) ranges_[static_cast<size_t>(last.outputs[0])] = ranges_[static_cast<size_t>(last.inputs[0])];
  }

  void run() {
    for (const Step& step : case_.steps_) {
      feed(step);
      execute(step);
    }
    device_.synchronize();
  }

  void feed(const Step& step) {
    for (const auto& [id, data] : step.inputs) {
      const BufferRange& range = ranges_[static_cast<size_t>(id)];
      Bytes bytes(static_cast<size_t>(range.size_bytes), kPoison);
      std::copy(data.begin(), data.end(), bytes.begin());
      device_.write(range, bytes);
    }
  }

  void execute(const Step& step) {
    std::vector<NodeId> nodes(static_cast<size_t>(case_.n_nodes(step)));
    std::iota(nodes.begin(), nodes.end(), 0);
    SplitWork work;
    work.graph = &case_.builder_.graph();
    work.nodes = nodes;
    work.buffers = ranges_;
    work.rows = step.rows;
    device_.execute_split(work, [](ValueId) {});
  }

  Device& device() const { return device_; }
  // What a result holds where nothing was written.
  std::byte unwritten(ValueId value) const {
    const bool is_aliased = alias_ && value == case_.builder_.graph().nodes().back().outputs[0];
    return is_aliased ? kPoison : kUnwritten;
  }

  Bytes read(ValueId id) const {
    const BufferRange& range = ranges_[static_cast<size_t>(id)];
    Bytes bytes(static_cast<size_t>(range.size_bytes));
    device_.read(range, bytes);
    return bytes;
  }

 private:
  const OpCase& case_;
  Device& device_;
  bool alias_;
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;  // [ValueId]
  std::vector<BufferRange> ranges_;                     // [ValueId]
};

OpCase::OpCase(std::string name, int64_t capacity) : name_(std::move(name)), builder_(&table_, capacity) {}

WeightId OpCase::weight(const std::string& name, DType dtype, const Shape& shape, const Bytes& data) {
  Bytes stored(kWeightOffset);
  stored.insert(stored.end(), data.begin(), data.end());
  weights_.push_back(std::move(stored));
  return table_.add(name, {dtype, shape}, kNone);
}

ValueId OpCase::input(const std::string& name, DType dtype, const std::vector<int64_t>& dims) {
  std::vector<int64_t> shape{builder_.rows()};
  shape.insert(shape.end(), dims.begin(), dims.end());
  return builder_.input(name, {dtype, Shape(std::span<const int64_t>(shape))});
}

void OpCase::step(int64_t rows, int n_nodes) {
  Step step;
  step.rows = rows;
  step.n_nodes = n_nodes;
  steps_.push_back(std::move(step));
}

int OpCase::n_nodes(const Step& step) const {
  return step.n_nodes < 0 ? builder_.graph().n_nodes() : step.n_nodes;
}

void OpCase::feed(ValueId input, Bytes data) {
  steps_.back().inputs[input] = std::move(data);
}

void OpCase::expect(ValueId value, Bytes data) {
  builder_.output(value);
  expected_.emplace_back(value, std::move(data));
}

void OpCase::expect_error(ErrorCode code, std::string part) {
  builder_.output(builder_.graph().nodes().back().outputs[0]);
  error_ = {code, std::move(part)};
}

int64_t OpCase::value_bytes(ValueId id, const Device* device) const {
  const Value& value = builder_.graph().value(id);
  if (value.kind != ValueKind::kKvCache) return value.desc.size_bytes();
  return kv_blocks_ * (device != nullptr ? device->kv_block_bytes(value.desc) : value.desc.size_bytes());
}

bool OpCase::takes_all(const Device& device, std::string& why) const {
  for (const Node& node : builder_.graph().nodes()) {
    const Support support = device.supports(builder_.graph(), node);
    if (support.takes()) continue;
    why = support.detail;
    return false;
  }
  return true;
}

void OpCase::register_weights(Device& device) const {
  test::MemoryWeights source;
  for (const WeightInfo& info : table_.all()) {
    source.add(info.id, weight_data(weights_[static_cast<size_t>(info.id)]));
  }
  source.register_with(device, table_);
}

bool OpCase::may_alias() const {
  const Graph& graph = builder_.graph();
  return graph.n_nodes() == 1 && steps_.size() == 1 && op_def(graph.node(0).op).in_place;
}

void OpCase::check_reference(HostRun& reference) {
  reference.run();
  for (const auto& [value, data] : expected_) {
    const Value& info = builder_.graph().value(value);
    const auto got = std::span<const std::byte>(reference.value(value)).first(data.size());
    const auto wrong = difference(info.desc.dtype, got, data);
    EXPECT_FALSE(wrong) << name_ << ": the scalar reference is not the rule: " << *wrong;
  }
}

void OpCase::check_output(const DeviceRun& run, const HostRun& reference, ValueId value) const {
  const Value& info = builder_.graph().value(value);
  const bool is_cache = info.kind == ValueKind::kKvCache;
  if (is_cache && run.device().backend() != kBackendCpu) return;  // the layout is the device's own
  const Bytes got = run.read(value);
  const size_t used = is_cache ? got.size() : static_cast<size_t>(info.desc.row_bytes() * steps_.back().rows);
  const std::span<const std::byte> all(got);
  const auto wrong =
      difference(info.desc.dtype, all.first(used), std::span<const std::byte>(reference.value(value)).first(used));
  EXPECT_FALSE(wrong) << "differs from the scalar reference: " << *wrong;
  const auto rest = all.subspan(used);
  EXPECT_TRUE(std::all_of(rest.begin(), rest.end(), [&](std::byte b) { return b == run.unwritten(value); }))
      << "rows that are not in use were written";
}

void OpCase::check_subject(const Subject& subject, const HostRun& reference, bool alias) {
  SCOPED_TRACE(fmt::format("{} on {}{}", name_, subject.name, alias ? ", in place" : ""));
  DeviceRun run(*this, *subject.device, alias);
  run.run();
  for (const auto& [value, data] : expected_) check_output(run, reference, value);
  ++(alias ? counts.aliased_runs : counts.runs);
}

void OpCase::check_error(const Subject& subject) {
  SCOPED_TRACE(fmt::format("{} on {}", name_, subject.name));
  DeviceRun run(*this, *subject.device, false);
  try {
    run.run();
    ADD_FAILURE() << "no error; expected '" << error_->second << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error_code_name(error.code()), error_code_name(error_->first));
    EXPECT_NE(std::string(error.what()).find(error_->second), std::string::npos) << error.what();
  }
  ++counts.runs;
}

void OpCase::time(const Subject& subject) {
  using Clock = std::chrono::steady_clock;
  const Step& step = steps_.back();
  DeviceRun run(*this, *subject.device, false);
  run.run();
  int64_t n = 0;
  const auto start = Clock::now();
  auto elapsed = Clock::duration::zero();
  while (elapsed < kPerfTime) {
    run.execute(step);
    subject.device->synchronize();
    elapsed = Clock::now() - start;
    ++n;
  }
  const Graph& graph = builder_.graph();
  const Node& last = graph.node(n_nodes(step) - 1);
  const double us = std::chrono::duration<double, std::micro>(elapsed).count() / static_cast<double>(n);
  const auto weight_bytes = static_cast<double>(graph.cost(last, {step.rows, 1}).weight_bytes);
  fmt::print("[perf] {:<44} {:<22} {:<14} {:>12.2f} us {:>8.2f} GB/s of weights\n", name_, subject.name,
             subject.device->kernel_info(graph, last).kernel, us, weight_bytes / us / 1e3);
}

Bytes OpCase::reference(ValueId value) const {
  HostRun run(*this);
  run.run();
  Bytes bytes = run.value(value);
  const Value& info = builder_.graph().value(value);
  if (info.kind == ValueKind::kKvCache) return bytes;
  bytes.resize(static_cast<size_t>(info.desc.row_bytes() * steps_.back().rows));
  return bytes;
}

void OpCase::check() {
  ++counts.cases;
  verify(builder_.graph());
  std::vector<Subject> subjects = open_subjects();
  std::string why = "no device";
  for (auto subject = subjects.begin(); subject != subjects.end();) {
    register_weights(*subject->device);
    if (takes_all(*subject->device, why)) {
      ++subject;
    } else {
      ++counts.unsupported[subject->name];
      subject = subjects.erase(subject);
    }
  }
  if (subjects.empty()) {
    ADD_FAILURE() << name_ << " ran nowhere but on its reference: " << why;
    return;
  }
  HostRun reference(*this);
  if (!error_) check_reference(reference);
  for (const Subject& subject : subjects) {
    if (error_) {
      check_error(subject);
      continue;
    }
    check_subject(subject, reference, false);
    if (may_alias()) check_subject(subject, reference, true);
    if (perf) time(subject);
  }
}

}  // namespace minfer::ops_test
