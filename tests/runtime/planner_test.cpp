#include "runtime/planner.h"

#include <gtest/gtest.h>

#include <random>

#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/mul.h"
#include "graph/ops/silu.h"
#include "runtime/liveness.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;
using Ids = std::vector<int32_t>;

const Place& place(const MemoryPlan& plan, ValueId value) {
  return plan.places[static_cast<size_t>(value)];
}

bool overlap(const Place& a, const Place& b) {
  return a.device == b.device && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

TEST(Liveness, PinsInputsFromTheStartAndOutputsToTheEnd) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId x = b.input("x", matrix(1, 4));
  const ValueId y = silu(b, x, "y");
  b.output(y);
  const ValueId z = silu(b, y, "z");
  const std::vector<LiveInterval> intervals = live_intervals(b.graph(), Ids{0, 0});
  ASSERT_EQ(intervals.size(), 3u);
  EXPECT_EQ(intervals[0].value, x);
  EXPECT_EQ(intervals[0].first, -1);
  EXPECT_EQ(intervals[0].last, 0);
  EXPECT_EQ(intervals[1].value, y);
  EXPECT_EQ(intervals[1].last, 2);
  EXPECT_EQ(intervals[2].value, z);  // nothing reads it
  EXPECT_EQ(intervals[2].last, 1);
  EXPECT_EQ(intervals[2].size_bytes, 16);
}

TEST(Planner, ReusesBufferAfterLastReader) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId x = b.input("x", matrix(1, 16));
  const ValueId y = add(b, x, x, "y");  // no in-place: x is an input
  const ValueId z = add(b, y, y, "z");  // nor here: y is read twice
  b.output(z);
  const MemoryPlan plan = plan_memory(b.graph(), Ids{0, 0}, 1);
  EXPECT_EQ(place(plan, z).offset_bytes, place(plan, x).offset_bytes);
  EXPECT_NE(place(plan, y).offset_bytes, place(plan, x).offset_bytes);
  EXPECT_EQ(plan.arenas[0].arena_bytes, 128);
  EXPECT_EQ(plan.arenas[0].live_peak_bytes, 128);
  EXPECT_EQ(plan.arenas[0].n_buffers, 3);
  EXPECT_EQ(plan.arenas[0].n_reused, 1);
  EXPECT_EQ(plan.arenas[0].n_in_place, 0);
}

TEST(Planner, WritesInPlaceOverAnInputThatNothingElseReads) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId x = b.input("x", matrix(1, 16));
  const ValueId y = silu(b, x, "y");
  const ValueId z = add(b, y, x, "z");
  const ValueId w = silu(b, z, "w");
  b.output(w);
  const MemoryPlan plan = plan_memory(b.graph(), Ids{0, 0, 0}, 1);
  EXPECT_EQ(place(plan, z).offset_bytes, place(plan, y).offset_bytes);
  EXPECT_EQ(place(plan, w).offset_bytes, place(plan, y).offset_bytes);
  EXPECT_EQ(plan.arenas[0].n_in_place, 2);
  EXPECT_EQ(plan.arenas[0].arena_bytes, 128);
}

TEST(Planner, NeverWritesOverWhatIsReadLater) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId x = b.input("x", matrix(1, 16));
  const ValueId y = silu(b, x, "y");
  const ValueId z = silu(b, y, "z");
  b.output(add(b, z, y, "w"));
  EXPECT_NE(place(plan_memory(b.graph(), Ids{0, 0, 0}, 1), z).offset_bytes,
            place(plan_memory(b.graph(), Ids{0, 0, 0}, 1), y).offset_bytes);
}

TEST(Planner, NeverWritesOverAGraphOutput) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId y = silu(b, b.input("x", matrix(1, 16)), "y");
  b.output(y);
  const ValueId z = silu(b, y, "z");
  b.output(z);
  const MemoryPlan plan = plan_memory(b.graph(), Ids{0, 0}, 1);
  EXPECT_FALSE(overlap(place(plan, y), place(plan, z)));
}

TEST(Planner, NeverWritesOverAStagedCopy) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId y = silu(b, b.input("x", matrix(1, 16)), "y");
  const ValueId z = silu(b, y, "z");
  b.output(z);
  const MemoryPlan plan = plan_memory(b.graph(), Ids{1, 0}, 2);
  EXPECT_EQ(place(plan, y).device, 1);
  EXPECT_EQ(place(plan, z).device, 0);
  EXPECT_EQ(plan.arenas[0].n_in_place + plan.arenas[1].n_in_place, 0);
}

TEST(Planner, PutsABufferWhereEarlierOnesHaveDied) {
  GraphBuilder b(&kNoWeights, 1);
  const ValueId x64 = b.input("x64", matrix(1, 64));
  const ValueId x16 = b.input("x16", matrix(1, 16));
  const ValueId a = add(b, x16, x16, "a");  // x16 ends
  const ValueId c = add(b, x64, x64, "c");  // x64 ends
  const ValueId d = add(b, a, a, "d");      // 64 bytes, after x16 and x64
  b.output(c);
  b.output(d);
  const MemoryPlan plan = plan_memory(b.graph(), Ids{0, 0, 0}, 1);
  EXPECT_EQ(plan.arenas[0].arena_bytes, 256 + 256 + 64);
  EXPECT_EQ(place(plan, d).offset_bytes, place(plan, x64).offset_bytes);
}

TEST(Planner, RefusesSizesBeyondReason) {
  GraphBuilder b(&kNoWeights, 1);
  b.output(silu(b, b.input("huge", matrix(1, int64_t{1} << 40)), "y"));
  EXPECT_NE(error_of([&] { plan_memory(b.graph(), Ids{0}, 1); }).find("out_of_memory: [planner] 'huge'"),
            std::string::npos);
}

// Checks a plan from the definition: at every node, what was produced and is still read later holds its bytes alone.
void expect_sound(const Graph& graph, const Ids& device_of, const MemoryPlan& plan) {
  const auto last_use = [&](ValueId value) {
    NodeId last = -1;
    for (NodeId id = 0; id < graph.n_nodes(); ++id) {
      for (ValueId input : graph.node(id).inputs) last = input == value ? id : last;
    }
    for (ValueId output : graph.outputs()) last = output == value ? graph.n_nodes() : last;
    return last;
  };
  for (NodeId id = 0; id < graph.n_nodes(); ++id) {
    const Node& node = graph.node(id);
    const Place& out = place(plan, node.outputs[0]);
    EXPECT_EQ(out.device, device_of[static_cast<size_t>(id)]);
    EXPECT_EQ(out.offset_bytes % 64, 0);
    EXPECT_LE(out.offset_bytes + out.size_bytes, plan.arenas[static_cast<size_t>(out.device)].arena_bytes);
    for (ValueId value = 0; value < graph.n_values(); ++value) {
      const NodeId producer = graph.value(value).producer;
      if (value == node.outputs[0] || (producer != kNone && producer > id)) continue;
      const bool is_input_of_it = std::find(node.inputs.begin(), node.inputs.end(), value) != node.inputs.end();
      const bool read_later = last_use(value) > id;
      if (read_later) {
        EXPECT_FALSE(overlap(place(plan, value), out)) << id << " " << value;
      } else if (is_input_of_it && overlap(place(plan, value), out)) {
        EXPECT_EQ(value, node.inputs[0]);
        EXPECT_EQ(std::count(node.inputs.begin(), node.inputs.end(), value), 1);
        EXPECT_EQ(place(plan, value).offset_bytes, out.offset_bytes);
        EXPECT_EQ(graph.value(value).kind, ValueKind::kActivation);
      }
    }
  }
  for (ValueId a : graph.inputs()) {
    for (ValueId c : graph.inputs()) {
      EXPECT_TRUE(a == c || !overlap(place(plan, a), place(plan, c)));
    }
  }
}

TEST(Planner, NeverOverlapsLiveValuesOfRandomGraphs) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    GraphBuilder b(&kNoWeights, 2);
    std::vector<std::vector<ValueId>> values(3);  // by width
    const int64_t widths[] = {3, 16, 40};
    for (size_t w = 0; w < 3; ++w) values[w].push_back(b.input("x" + std::to_string(w), matrix(2, widths[w])));
    Ids device_of;
    for (size_t i = 0, n = 1 + below(30); i < n; ++i) {
      std::vector<ValueId>& same = values[below(3)];
      const std::string name = "n" + std::to_string(i);
      const ValueId first = same[same.size() - 1 - below(std::min<size_t>(same.size(), 4))];
      const ValueId y = below(2) == 0 ? silu(b, first, name) : add(b, first, same[below(same.size())], name);
      if (below(8) == 0) b.output(y);
      same.push_back(y);
      device_of.push_back(static_cast<DeviceId>(below(3)));
    }
    b.output(b.graph().nodes().back().outputs[0]);
    const MemoryPlan plan = plan_memory(b.graph(), device_of, 3);
    expect_sound(b.graph(), device_of, plan);
    for (const ArenaPlan& arena : plan.arenas) EXPECT_GE(arena.arena_bytes, arena.live_peak_bytes);
  }
}

}  // namespace
}  // namespace minfer::test
