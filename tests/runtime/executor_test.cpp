#include "runtime/executor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/attention.h"
#include "graph/ops/kv_store.h"
#include "graph/ops/mul.h"
#include "graph/ops/silu.h"
#include "runtime/kv_memory.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;

// x (host) → twice = x + x → square = twice · twice.
struct SmallGate {
  explicit SmallGate(const DeviceSet& devices, int64_t rows = 1) {
    GraphBuilder b(&kNoWeights, rows);
    x = b.input("x", matrix(rows, 3));
    twice = add(b, x, x, "twice");
    square = mul(b, twice, twice, "square");
    b.output(square);
    compiled = std::make_unique<CompiledGraph>(compile(b.take(), devices, {}));
    compiled->uid = 1;
  }

  std::vector<float> run(Executor& executor) {
    fill(executor, *compiled, x, {1, -2, 0.5F});
    executor.run(*compiled, 1);
    return read(executor, *compiled, square, 1);
  }

  ValueId x, twice, square;
  std::unique_ptr<CompiledGraph> compiled;
};

const std::vector<float> kSquares{4, 16, 1};

TestDeviceOptions slow(TestDeviceOptions options) {
  options.max_delay_us = 200;
  return options;
}

TEST(Executor, RunsOnTheCpuInOneSplitWithoutCopies) {
  Rig rig(std::vector<TestDeviceOptions>{});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_EQ(gate.run(executor), kSquares);
  EXPECT_EQ(gate.compiled->splits.size(), 1u);
  EXPECT_EQ(executor.copy_stats(), CopyStats{});
  EXPECT_EQ(executor.stats().staging_allocations, 0);
}

TEST(Executor, CountsTheCopiesOfTheSmallGate) {
  Rig rig({slow(taking_op(OpId::kAdd))});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_EQ(gate.run(executor), kSquares);
  EXPECT_EQ(executor.copy_stats(), (CopyStats{.copies = 2,
                                              .waits = 2,
                                              .deferred_waits = 2,
                                              .blocking_host_copies = 0,
                                              .async_host_copies = 1,
                                              .event_syncs = 1,
                                              .stream_waits = 0}));
  EXPECT_EQ(rig.test[0]->n_retired(), 1);
}

TEST(Executor, CountsTheCopiesOfTheSmallGateInSynchronousMode) {
  Rig rig({slow(taking_op(OpId::kAdd))});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor(true);
  EXPECT_EQ(gate.run(executor), kSquares);
  EXPECT_EQ(executor.copy_stats(),
            (CopyStats{.copies = 2, .waits = 2, .deferred_waits = 2, .blocking_host_copies = 1}));
}

TEST(Executor, CountsBlockingCopiesWhenTheSourceDeclines) {
  TestDeviceOptions declining = slow(taking_op(OpId::kAdd));
  declining.declines_copies = true;
  Rig rig({declining});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_EQ(gate.run(executor), kSquares);
  EXPECT_EQ(executor.copy_stats(),
            (CopyStats{.copies = 2, .waits = 2, .deferred_waits = 2, .blocking_host_copies = 1}));
}

TEST(Executor, WaitsOnStreamsBetweenTwoDevices) {
  Rig rig({slow(taking_op(OpId::kAdd)), slow(anything())});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_EQ(gate.run(executor), kSquares);
  EXPECT_EQ(executor.copy_stats(), (CopyStats{.copies = 2, .waits = 2, .deferred_waits = 2, .stream_waits = 1}));
}

TEST(Executor, ReadsOnlyTheRowsAskedFor) {
  Rig rig({anything()});
  SmallGate gate(rig.devices, 4);
  Executor executor = rig.executor();
  fill(executor, *gate.compiled, gate.x, {1, 1, 1, 2, 2, 2, 3, 3, 3});
  executor.run(*gate.compiled, 3);
  std::vector<float> last(3);
  executor.read(*gate.compiled, gate.square, 2, 1, std::as_writable_bytes(std::span<float>(last)));
  EXPECT_EQ(last, (std::vector<float>{36, 36, 36}));
  EXPECT_THROW(read(executor, *gate.compiled, gate.square, 5), Error);
}

// A graph whose nodes run all over three devices, and its values computed by hand.
struct RandomGraph {
  RandomGraph(uint64_t seed, int n_nodes, int n_devices) {
    std::mt19937_64 random(seed);
    const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
    GraphBuilder b(&kNoWeights, kRows);
    for (int i = 0; i < 2; ++i) {
      inputs.push_back(b.input("x" + std::to_string(i), matrix(kRows, kColumns)));
      values.emplace_back();
      for (int64_t k = 0; k < kRows * kColumns; ++k) {
        values.back().push_back(static_cast<float>(below(2001)) / 1000.0F - 1.0F);
      }
    }
    for (int i = 0; i < n_nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      const size_t recent = std::min<size_t>(values.size(), 5);
      const size_t left = values.size() - 1 - below(recent);
      const bool adds = below(2) == 0;
      const size_t right = adds ? below(values.size()) : below(2);  // factors are inputs: no overflow
      const auto l = static_cast<ValueId>(left);
      const auto r = static_cast<ValueId>(right);
      const ValueId y = adds ? add(b, l, r, name) : mul(b, l, r, name);
      std::vector<float> result;
      for (size_t k = 0; k < values[left].size(); ++k) {
        result.push_back(adds ? values[left][k] + values[right][k] : values[left][k] * values[right][k]);
      }
      values.push_back(std::move(result));
      device_of[name] = static_cast<int>(below(static_cast<size_t>(n_devices) + 1));
      if (below(4) == 0 || i + 1 == n_nodes) b.output(y);
    }
    graph = std::make_unique<Graph>(b.take());
  }

  // Takes what is meant for DeviceId `id`.
  TestDeviceOptions options(int id, uint64_t seed, int max_delay_us) const {
    TestDeviceOptions options = taking([this, id](const Node& node) { return device_of.at(node.name) == id; });
    options.seed = seed;
    options.max_delay_us = max_delay_us;
    return options;
  }

  void run(Executor& executor, const CompiledGraph& compiled) const {
    for (size_t i = 0; i < inputs.size(); ++i) fill(executor, compiled, inputs[i], values[i]);
    executor.run(compiled, kRows);
  }

  static constexpr int64_t kRows = 2;
  static constexpr int64_t kColumns = 5;
  std::vector<ValueId> inputs;
  std::vector<std::vector<float>> values;  // [value]
  std::map<std::string, int> device_of;
  std::unique_ptr<Graph> graph;
};

TEST(Executor, GivesTheSameBytesInBothModesOverHundredSeeds) {
  int64_t staged_at_once = 0;
  CopyStats total;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const RandomGraph random(seed, 16, 2);
    Rig rig({random.options(1, seed, 60), random.options(2, seed + 1000, 60)});
    CompiledGraph compiled = compile(*random.graph, rig.devices, {});
    for (const Split& split : compiled.splits) {
      staged_at_once = std::max(staged_at_once, static_cast<int64_t>(split.inputs.size()));
    }
    compiled.uid = 1;
    Executor async = rig.executor();
    Executor sync = rig.executor(true);
    for (Executor* executor : {&async, &sync}) {
      random.run(*executor, compiled);
      for (ValueId output : compiled.graph.outputs()) {
        const std::vector<float> got = read(*executor, compiled, output, RandomGraph::kRows);
        const std::vector<float>& expected = random.values[static_cast<size_t>(output)];
        ASSERT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)), 0) << "seed " << seed;
      }
    }
    const CopyStats& stats = async.copy_stats();
    EXPECT_EQ(stats.copies, stats.waits);
    EXPECT_EQ(stats.copies, sync.copy_stats().copies);
    EXPECT_EQ(stats.blocking_host_copies, 0);
    EXPECT_EQ(stats.async_host_copies, stats.event_syncs);
    EXPECT_EQ(sync.copy_stats().blocking_host_copies, stats.event_syncs + stats.stream_waits);
    total.stream_waits += stats.stream_waits;
    total.event_syncs += stats.event_syncs;
  }
  EXPECT_GE(staged_at_once, 3);
  EXPECT_GT(total.stream_waits, 100);
  EXPECT_GT(total.event_syncs, 100);
}

TEST(Executor, AllocatesNothingWhenAGraphIsRebuiltOrReused) {
  Rig rig({taking_op(OpId::kAdd)});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  gate.run(executor);
  const ExecutorStats before = executor.stats();
  EXPECT_EQ(before.arena_allocations, 2);
  EXPECT_EQ(before.staging_allocations, 2);
  EXPECT_EQ(before.staging_bytes, 24);
  EXPECT_EQ(rig.test[0]->n_allocations(), 2);
  EXPECT_EQ(gate.run(executor), kSquares);
  SmallGate rebuilt(rig.devices);
  EXPECT_EQ(rebuilt.run(executor), kSquares);
  EXPECT_EQ(executor.stats().arena_allocations, before.arena_allocations);
  EXPECT_EQ(executor.stats().staging_allocations, before.staging_allocations);
  EXPECT_EQ(rig.test[0]->n_allocations(), 2);
}

TEST(Executor, GrowsItsArenasToTheLargestGraph) {
  Rig rig(std::vector<TestDeviceOptions>{});
  SmallGate small(rig.devices);
  SmallGate large(rig.devices, 64);
  large.compiled->uid = 2;
  Executor executor = rig.executor();
  small.run(executor);
  large.run(executor);
  const int64_t bytes = executor.stats().arena_bytes;
  EXPECT_EQ(bytes, large.compiled->memory.arenas[0].arena_bytes);
  EXPECT_EQ(small.run(executor), kSquares);
  EXPECT_EQ(executor.stats().arena_bytes, bytes);
  EXPECT_EQ(executor.stats().arena_allocations, 2);
  EXPECT_EQ(rig.ledger.bytes(MemoryTag::kActivations), static_cast<uint64_t>(bytes));
}

TEST(Executor, ForgetsTheStagingBuffersOfAGraph) {
  Rig rig({taking_op(OpId::kAdd)});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  gate.run(executor);
  executor.forget(gate.compiled->uid);
  EXPECT_EQ(executor.stats().staging_bytes, 0);
  EXPECT_EQ(gate.run(executor), kSquares);
}

TEST(Executor, RefusesADeviceThatDoesNotWait) {
  TestDeviceOptions options = taking_op(OpId::kAdd);
  options.fault = Fault::kNeverWaits;
  Rig rig({options});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_EQ(error_of([&] { gate.run(executor); }),
            "internal: [staging] 'x' is read on test:0 while its copy is in flight: await_cross is missing");
  rig.test[0]->options().fault = Fault::kNone;
  EXPECT_EQ(gate.run(executor), kSquares);
}

TEST(Executor, RefusesADeviceThatWaitsTwice) {
  TestDeviceOptions options = taking_op(OpId::kAdd);
  options.fault = Fault::kWaitsTwice;
  Rig rig({options});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_NE(error_of([&] { gate.run(executor); }).find("one wait per copy"), std::string::npos);
  rig.test[0]->options().fault = Fault::kNone;
  EXPECT_EQ(gate.run(executor), kSquares);
}

// After each kind of failure the same executor gives the right result.
TEST(Executor, RunsAgainAfterAFailure) {
  for (const Fault fault : {Fault::kFailsAtOnce, Fault::kFailsInStream, Fault::kCopiesFail}) {
    for (const std::vector<std::string>& second : {std::vector<std::string>{}, {"square"}}) {
      TestDeviceOptions options = slow(taking_nodes({"twice"}));
      options.fault = fault;
      options.fault_node = "twice";
      Rig rig({options, slow(taking_nodes(second))});
      SmallGate gate(rig.devices);
      Executor executor = rig.executor();
      const std::string error = error_of([&] { gate.run(executor); });
      EXPECT_EQ(error.find("device: "), 0u) << error;
      EXPECT_NE(error.find("failed"), std::string::npos) << error;
      EXPECT_THROW(read(executor, *gate.compiled, gate.square, 1), Error);
      rig.test[0]->options().fault = Fault::kNone;
      EXPECT_EQ(gate.run(executor), kSquares);
    }
  }
}

TEST(Executor, StopsBeforeItStartsWhenCancelled) {
  Rig rig({taking_op(OpId::kAdd)});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  fill(executor, *gate.compiled, gate.x, {1, 2, 3});
  const std::atomic<bool> cancel{true};
  EXPECT_EQ(error_of([&] { executor.run(*gate.compiled, 1, &cancel); }).find("cancelled: "), 0u);
  EXPECT_EQ(rig.test[0]->n_nodes_run(), 0);
  EXPECT_EQ(executor.copy_stats().copies, 0);
  EXPECT_EQ(gate.run(executor), kSquares);
}

TEST(Executor, StopsBetweenNodesWhenCancelled) {
  std::atomic<bool> cancel{false};
  TestDeviceOptions options = slow(anything());
  int n_submitted = 0;
  options.on_submit = [&] {
    if (++n_submitted == 2) cancel = true;
  };
  Rig rig({options});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  fill(executor, *gate.compiled, gate.x, {1, 2, 3});
  EXPECT_EQ(error_of([&] { executor.run(*gate.compiled, 1, &cancel); }).find("cancelled: "), 0u);
  EXPECT_EQ(rig.test[0]->n_nodes_run(), 1);
  EXPECT_EQ(gate.run(executor), kSquares);
}

TEST(Executor, GivesNoResultWhenCancelledDuringTheLastNode) {
  std::atomic<bool> cancel{false};
  Rig rig({slow(taking_op(OpId::kAdd))});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  fill(executor, *gate.compiled, gate.x, {1, 2, 3});
  const auto cancel_late = [&](const Node& node, ValueId, std::span<const std::byte>) {
    cancel = node.name == "square";
  };
  EXPECT_EQ(error_of([&] { executor.trace(*gate.compiled, 1, cancel_late, &cancel); }).find("cancelled: "), 0u);
  EXPECT_THROW(read(executor, *gate.compiled, gate.square, 1), Error);
  EXPECT_EQ(gate.run(executor), kSquares);
}

TEST(Executor, TracesEveryNodeWithItsBytes) {
  Rig rig({slow(taking_op(OpId::kAdd))});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  fill(executor, *gate.compiled, gate.x, {1, -2, 0.5F});
  std::map<std::string, std::vector<float>> seen;
  executor.trace(*gate.compiled, 1, [&](const Node& node, ValueId output, std::span<const std::byte> bytes) {
    EXPECT_EQ(output, node.outputs[0]);
    std::vector<float>& values = seen[node.name];
    values.resize(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
  });
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen["twice"], (std::vector<float>{2, -4, 1}));
  EXPECT_EQ(seen["square"], kSquares);
  EXPECT_EQ(read(executor, *gate.compiled, gate.square, 1), kSquares);
}

TEST(Executor, TracesRandomGraphsAsItRunsThem) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const RandomGraph random(seed, 12, 2);
    Rig rig({random.options(1, seed, 0), random.options(2, seed, 0)});
    CompiledGraph compiled = compile(*random.graph, rig.devices, {});
    Executor executor = rig.executor();
    for (size_t i = 0; i < 2; ++i) fill(executor, compiled, random.inputs[i], random.values[i]);
    int n_seen = 0;
    executor.trace(compiled, RandomGraph::kRows, [&](const Node&, ValueId output, std::span<const std::byte> bytes) {
      const std::vector<float>& expected = random.values[static_cast<size_t>(output)];
      EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0);
      ++n_seen;
    });
    EXPECT_EQ(n_seen, 12);
  }
}

TEST(Executor, RefusesAStepWhoseInputsAreNotFilled) {
  Rig rig(std::vector<TestDeviceOptions>{});
  SmallGate gate(rig.devices);
  SmallGate other(rig.devices);
  other.compiled->uid = 2;
  Executor executor = rig.executor();
  EXPECT_NE(error_of([&] { executor.run(*gate.compiled, 1); }).find("'x' was not filled"), std::string::npos);
  fill(executor, *gate.compiled, gate.x, {1, 2, 3});
  fill(executor, *other.compiled, other.x, {1, 2, 3});
  EXPECT_NE(error_of([&] { executor.run(*gate.compiled, 1); }), "");
  executor.run(*other.compiled, 1);
  EXPECT_NE(error_of([&] { executor.run(*other.compiled, 1); }), "");  // the run has reused the input's bytes
}

TEST(Executor, RefusesWhatDoesNotFit) {
  Rig rig(std::vector<TestDeviceOptions>{});
  SmallGate gate(rig.devices);
  Executor executor = rig.executor();
  EXPECT_NE(error_of([&] {
              fill(executor, *gate.compiled, gate.x, {1, 2, 3, 4});
            }).find("holds 12 bytes, got 16"),
            std::string::npos);
  EXPECT_NE(error_of([&] { fill(executor, *gate.compiled, gate.twice, {1}); }).find("is not an input"),
            std::string::npos);
  fill(executor, *gate.compiled, gate.x, {1, 2, 3});
  EXPECT_NE(error_of([&] { executor.run(*gate.compiled, 2); }).find("holds 1 rows, the step has 2"), std::string::npos);
  EXPECT_NE(error_of([&] { executor.run(*gate.compiled, 0); }), "");
  executor.run(*gate.compiled, 1);
  std::vector<std::byte> bytes(12);
  EXPECT_NE(error_of([&] { executor.read(*gate.compiled, gate.twice, 0, 1, bytes); }).find("not an output"),
            std::string::npos);
  bytes.resize(11);
  EXPECT_NE(error_of([&] { executor.read(*gate.compiled, gate.square, 0, 1, bytes); }).find("room for 11"),
            std::string::npos);
}

// One row, one position: the softmax is 1 and attention gives v back.
TEST(Executor, BindsKeyValueBlocksOfTheDeviceThatStoresThem) {
  for (const bool on_device : {false, true}) {
    Rig rig(on_device ? std::vector<TestDeviceOptions>{slow(anything())} : std::vector<TestDeviceOptions>{});
    GraphBuilder b(&kNoWeights, 1);
    b.set_layer(0);
    const ValueId q = b.input("q", matrix(1, 4));
    const ValueId v = b.input("v", matrix(1, 4));
    const KvRows rows{b.input("positions", {DType::kI32, {1}}), b.input("sequences", {DType::kI32, {1}}),
                      b.input("block_tables", {DType::kI32, {1, 1}})};
    KvStoreParams store;
    store.n_kv_heads = 1;
    store.head_dim = 4;
    store.dtype = DType::kF32;
    AttentionParams params;
    params.n_heads = 1;
    params.n_kv_heads = 1;
    params.head_dim = 4;
    const ValueId out = attention(b, q, kv_store(b, q, v, rows, store, "store"), rows, params, "attention");
    b.output(out);
    const CompiledGraph compiled = compile(b.take(), rig.devices, {{1, 1}, true});
    KvMemory memory(2);
    Executor executor(rig.devices, rig.ledger,
                      {false, [&](int layer, DeviceId id, Device& device, const TensorDesc& block) {
                         EXPECT_EQ(layer, 0);
                         EXPECT_EQ(id, on_device ? 1 : 0);
                         return memory.layer_buffer(layer, id, device, block);
                       }});
    fill(executor, compiled, q, {1, 2, 3, 4});
    fill(executor, compiled, v, {5, -6, 7, 8});
    const std::vector<int32_t> zero{0};
    const std::vector<int32_t> block{1};
    executor.fill(compiled, rows.positions, std::as_bytes(std::span(zero)));
    executor.fill(compiled, rows.sequences, std::as_bytes(std::span(zero)));
    executor.fill(compiled, rows.block_tables, std::as_bytes(std::span(block)));
    executor.run(compiled, 1);
    EXPECT_EQ(read(executor, compiled, out, 1), (std::vector<float>{5, -6, 7, 8}));
  }
}

}  // namespace
}  // namespace minfer::test
