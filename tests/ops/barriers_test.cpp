// Where workers have to meet: only where a node touches what another has written, or writes what another has read.
#include "backend/cpu/barriers.h"

#include <gtest/gtest.h>

#include <numeric>

#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/silu.h"

namespace minfer::ops_test {
namespace {

class Memory final : public DeviceBuffer {
 public:
  Memory() : DeviceBuffer(1 << 20) {}
};

// Nodes over values of 64 bytes that lie where the test says.
class Plan {
 public:
  ValueId input() { return put(b_.input("in", {DType::kF32, {1, 16}}), next_++); }
  // y = silu(x); `slot`: where y lies, by default where nothing lies yet.
  ValueId node(ValueId x, int slot = -1) { return put(silu(b_, x, "n"), slot < 0 ? next_++ : slot); }
  ValueId sum(ValueId x, ValueId y) { return put(add(b_, x, y, "n"), next_++); }

  int slot(ValueId value) const { return slots_[static_cast<size_t>(value)]; }
  void move_by_half(ValueId value) { ranges_[static_cast<size_t>(value)].offset_bytes += 32; }
  void move_to_other_memory(ValueId value) { ranges_[static_cast<size_t>(value)].buffer = &other_; }

  std::vector<bool> barriers() const {
    std::vector<NodeId> nodes(static_cast<size_t>(b_.graph().n_nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    return cpu::find_barriers(b_.graph(), nodes, ranges_);
  }

 private:
  ValueId put(ValueId value, int slot) {
    slots_.push_back(slot);
    ranges_.push_back({&memory_, 64 * slot, 64});
    return value;
  }

  Memory memory_;
  Memory other_;
  WeightTable weights_;
  GraphBuilder b_{&weights_, 1};
  std::vector<int> slots_;           // [value]
  std::vector<BufferRange> ranges_;  // [value]
  int next_ = 0;
};

using Barriers = std::vector<bool>;

TEST(Barriers, StandBetweenEveryLinkOfAChain) {
  Plan p;
  p.node(p.node(p.node(p.input())));
  EXPECT_EQ(p.barriers(), (Barriers{false, true, true}));
}

TEST(Barriers, AreMissingBetweenNodesThatOnlyReadTheSame) {
  Plan p;
  const ValueId x = p.input();
  const ValueId a = p.node(x);
  const ValueId b = p.node(x);
  p.sum(a, b);
  p.node(x);
  EXPECT_EQ(p.barriers(), (Barriers{false, false, true, false}));
}

TEST(Barriers, OneServesAllThatStandBeforeIt) {
  Plan p;
  const ValueId x = p.input();
  const ValueId a = p.node(x);
  const ValueId b = p.node(x);
  p.node(a);
  p.node(b);
  EXPECT_EQ(p.barriers(), (Barriers{false, false, true, false}));
}

TEST(Barriers, StandBeforeAWriteOverWhatIsStillRead) {
  Plan p;
  const ValueId x = p.input();
  const ValueId y = p.input();
  p.node(x);
  p.node(y, p.slot(x));
  EXPECT_EQ(p.barriers(), (Barriers{false, true}));
}

TEST(Barriers, StandBeforeAWriteOverWhatIsStillWritten) {
  Plan p;
  const ValueId x = p.input();
  const ValueId a = p.node(x);
  p.node(x, p.slot(a));
  EXPECT_EQ(p.barriers(), (Barriers{false, true}));
}

TEST(Barriers, SeeRangesThatOverlapInPart) {
  Plan p;
  const ValueId x = p.input();
  const ValueId y = p.input();
  const ValueId a = p.node(x);
  p.node(y);
  EXPECT_EQ(p.barriers(), (Barriers{false, false}));
  p.move_by_half(a);  // now half of it lies in the second node's result
  EXPECT_EQ(p.barriers(), (Barriers{false, true}));
}

TEST(Barriers, TellTwoBuffersApart) {
  Plan p;
  const ValueId x = p.input();
  const ValueId a = p.node(x);
  const ValueId b = p.node(x, p.slot(a));
  p.move_to_other_memory(b);
  EXPECT_EQ(p.barriers(), (Barriers{false, false}));
}

TEST(Barriers, AreNotNeededForANodeInPlace) {
  Plan p;
  const ValueId x = p.input();
  p.node(x, p.slot(x));
  EXPECT_EQ(p.barriers(), (Barriers{false}));
}

}  // namespace
}  // namespace minfer::ops_test
