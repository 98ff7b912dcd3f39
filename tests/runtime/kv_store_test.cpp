// The block bookkeeping of the key/value cache, alone and against a plain model of what each sequence has written.
#include "runtime/kv_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "base/error.h"

namespace minfer {
namespace {

using Table = std::vector<KvBlockId>;

Table table_of(const KvStore& store, SequenceId id) {
  const auto span = store.block_table(id);
  return {span.begin(), span.end()};
}

SequenceId filled(KvStore& store, int64_t n_positions) {
  const SequenceId id = store.create();
  EXPECT_TRUE(store.reserve(id, n_positions).granted);
  store.append(id, n_positions);
  return id;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    return error.what();
  }
  return "no error";
}

TEST(KvStore, RoundsPositionsUpToBlocks) {
  EXPECT_EQ(kv_blocks_for(0), 0);
  EXPECT_EQ(kv_blocks_for(1), 1);
  EXPECT_EQ(kv_blocks_for(64), 1);
  EXPECT_EQ(kv_blocks_for(65), 2);
  EXPECT_EQ(kv_blocks_for(INT64_MAX), INT64_MAX / 64 + 1);
}

TEST(KvStore, TakesTheLowestFreeBlocks) {
  KvStore store(6);
  const SequenceId a = filled(store, 130);
  const SequenceId b = filled(store, 64);
  EXPECT_EQ(table_of(store, a), (Table{0, 1, 2}));
  EXPECT_EQ(table_of(store, b), (Table{3}));
  store.truncate(a, 64);
  const SequenceId c = filled(store, 150);
  EXPECT_EQ(table_of(store, c), (Table{1, 2, 4}));
}

TEST(KvStore, GrowsIntoItsOwnPartialBlockWithoutTakingAnother) {
  KvStore store(2);
  const SequenceId a = filled(store, 1);
  const KvGrant grant = store.reserve(a, 63);
  EXPECT_TRUE(grant.granted);
  EXPECT_EQ(grant.needed_blocks, 0);
  EXPECT_EQ(grant.free_blocks, 1);
  EXPECT_TRUE(grant.copies.empty());
  store.append(a, 63);
  EXPECT_EQ(store.length(a), 64);
  EXPECT_EQ(store.reserve(a, 1).needed_blocks, 1);
}

TEST(KvStore, ForkSharesAllBlocksAndTheFirstWriterCopiesThePartialOne) {
  KvStore store(4);
  const SequenceId a = filled(store, 100);
  const SequenceId b = store.fork(a);
  EXPECT_EQ(store.length(b), 100);
  EXPECT_EQ(table_of(store, b), (Table{0, 1}));
  EXPECT_EQ(store.stats(), (KvStats{2, 2, 2, 0}));

  const KvGrant grant = store.reserve(b, 1);
  EXPECT_EQ(grant.needed_blocks, 1);
  EXPECT_EQ(grant.copies, (std::vector<KvBlockCopy>{{1, 2}}));
  EXPECT_EQ(table_of(store, b), (Table{0, 2}));
  EXPECT_EQ(table_of(store, a), (Table{0, 1}));
  EXPECT_EQ(store.stats(), (KvStats{3, 1, 1, 1}));
  // Now each owns its last block.
  EXPECT_TRUE(store.reserve(a, 1).copies.empty());
  EXPECT_EQ(store.stats().copies_on_write, 1);
}

TEST(KvStore, ForkAtABlockBoundaryCopiesNothing) {
  KvStore store(4);
  const SequenceId a = filled(store, 64);
  const SequenceId b = store.fork(a);
  EXPECT_TRUE(store.reserve(a, 10).copies.empty());
  EXPECT_TRUE(store.reserve(b, 10).copies.empty());
  EXPECT_EQ(table_of(store, a), (Table{0, 1}));
  EXPECT_EQ(table_of(store, b), (Table{0, 2}));
}

TEST(KvStore, ForkLeavesReservedBlocksToTheSourceWhichMustReserveAgain) {
  KvStore store(4);
  const SequenceId a = filled(store, 10);
  ASSERT_TRUE(store.reserve(a, 100).granted);
  const SequenceId b = store.fork(a);
  EXPECT_EQ(table_of(store, a), (Table{0, 1}));
  EXPECT_EQ(table_of(store, b), (Table{0}));
  EXPECT_THROW(store.append(a, 1), Error);
  EXPECT_EQ(store.reserve(a, 100).copies, (std::vector<KvBlockCopy>{{0, 2}}));
  EXPECT_EQ(table_of(store, a), (Table{2, 1}));
}

TEST(KvStore, SealedBlockIsCopiedWhenASequenceIsCutBackIntoIt) {
  KvStore store(4);
  const SequenceId a = filled(store, 100);
  store.seal(a);
  EXPECT_TRUE(store.reserve(a, 1).copies.empty()) << "the partial block is not sealed";
  store.truncate(a, 40);
  EXPECT_EQ(store.reserve(a, 1).copies, (std::vector<KvBlockCopy>{{0, 1}}));
  store.append(a, 1);
  // The sealed block was let go: whoever takes it next may write to it.
  const SequenceId b = filled(store, 10);
  EXPECT_EQ(table_of(store, b), (Table{0}));
  EXPECT_TRUE(store.reserve(b, 1).copies.empty());
}

TEST(KvStore, RefusesWithBothNumbersAndChangesNothing) {
  KvStore store(4);
  const SequenceId a = filled(store, 100);
  const SequenceId b = store.fork(a);
  const SequenceId c = filled(store, 64);
  const KvStats before = store.stats();
  // One copy of the partial block, and one block for positions 128 … 129.
  const KvGrant grant = store.reserve(b, 30);
  EXPECT_FALSE(grant.granted);
  EXPECT_EQ(grant.needed_blocks, 2);
  EXPECT_EQ(grant.free_blocks, 1);
  EXPECT_TRUE(grant.copies.empty());
  EXPECT_EQ(store.stats(), before);
  EXPECT_EQ(table_of(store, b), (Table{0, 1}));
  EXPECT_THROW(store.append(b, 1), Error);

  store.release(c);
  EXPECT_TRUE(store.reserve(b, 30).granted);
  EXPECT_EQ(store.stats().blocks_free, 0);
}

TEST(KvStore, RefusesHugeRequestsByValue) {
  KvStore store(3);
  const SequenceId a = store.create();
  const KvGrant grant = store.reserve(a, INT32_MAX);
  EXPECT_FALSE(grant.granted);
  EXPECT_EQ(grant.needed_blocks, 33554432);
  EXPECT_EQ(grant.free_blocks, 3);
}

TEST(KvStore, ReserveKeepsWhatWasReservedBefore) {
  KvStore store(4);
  const SequenceId a = store.create();
  ASSERT_TRUE(store.reserve(a, 130).granted);
  EXPECT_EQ(store.reserve(a, 10).needed_blocks, 0);
  store.append(a, 130);
  EXPECT_EQ(store.length(a), 130);
}

TEST(KvStore, TruncateGivesReservedBlocksBack) {
  KvStore store(4);
  const SequenceId a = filled(store, 10);
  ASSERT_TRUE(store.reserve(a, 200).granted);
  EXPECT_EQ(store.stats().blocks_free, 0);
  store.truncate(a, 10);
  EXPECT_EQ(store.stats().blocks_free, 3);
  EXPECT_THROW(store.append(a, 1), Error);
}

TEST(KvStore, LastHolderFreesABlock) {
  KvStore store(2);
  const SequenceId a = filled(store, 128);
  const SequenceId b = store.fork(a);
  store.release(a);
  EXPECT_EQ(store.stats(), (KvStats{2, 0, 0, 0}));
  store.truncate(b, 64);
  EXPECT_EQ(store.stats(), (KvStats{1, 1, 0, 0}));
  store.release(b);
  EXPECT_EQ(store.stats(), (KvStats{0, 2, 0, 0}));
}

TEST(KvStore, RefusesUnknownAndReleasedSequences) {
  KvStore store(2);
  const SequenceId a = store.create();
  store.release(a);
  EXPECT_NE(store.create(), a) << "ids are not used again";
  EXPECT_EQ(message_of([&] { store.release(a); }), "[kv store] no sequence has the id 0");
  for (SequenceId id : {a, SequenceId{-1}, SequenceId{99}, SequenceId{INT64_MAX}}) {
    EXPECT_THROW(store.fork(id), Error);
    EXPECT_THROW(store.truncate(id, 0), Error);
    EXPECT_THROW(store.seal(id), Error);
    EXPECT_THROW(store.reserve(id, 1), Error);
    EXPECT_THROW(store.append(id, 0), Error);
    EXPECT_THROW(store.length(id), Error);
    EXPECT_THROW(store.block_table(id), Error);
  }
}

TEST(KvStore, RefusesLengthsThatDoNotFit) {
  KvStore store(2);
  const SequenceId a = filled(store, 10);
  EXPECT_EQ(message_of([&] { store.truncate(a, 11); }),
            "[kv store] cannot cut sequence 0 of 10 positions to 11 positions");
  EXPECT_NE(message_of([&] { store.truncate(a, -1); }), "no error");
  EXPECT_EQ(message_of([&] { store.append(a, 1); }), "[kv store] sequence 0 has 0 reserved positions, cannot append 1");
  EXPECT_NE(message_of([&] { store.append(a, -1); }), "no error");
  EXPECT_NE(message_of([&] { store.reserve(a, -1); }), "no error");
  EXPECT_NE(message_of([&] { store.reserve(a, INT64_MAX); }), "no error");
  EXPECT_NE(message_of([&] { KvStore none(0); }), "no error");
  EXPECT_NE(message_of([&] { KvStore negative(-5); }), "no error");
  EXPECT_EQ(store.length(a), 10);
}

TEST(KvStore, RefusesAPlacementOutsideTheFreeBlocks) {
  KvStore store(2, [](std::span<const KvBlockId> free) { return free.size(); });
  const SequenceId a = store.create();
  EXPECT_EQ(message_of([&] { store.reserve(a, 1); }), "[kv store] the placement chose free block 2 of 2");
}

// Random operations on a store, next to memory that is written and copied as the store says, and to what each sequence
// has written: every position must read back, whatever the placement.
class KvModel {
 public:
  KvModel(uint32_t seed, KvPlacement placement) : random_(seed), store_(kBlocks, std::move(placement)) {}

  void step() {
    const int what = pick(10);
    if (sequences_.empty() || what == 0) {
      sequences_[store_.create()] = {};
      return;
    }
    auto it = std::next(sequences_.begin(), pick(static_cast<int>(sequences_.size())));
    const SequenceId id = it->first;
    if (what == 1) {
      sequences_[store_.fork(id)] = it->second;
    } else if (what == 2) {
      const int kept = pick(static_cast<int>(it->second.size()) + 1);
      store_.truncate(id, kept);
      it->second.resize(static_cast<size_t>(kept));
    } else if (what == 3) {
      store_.release(id);
      sequences_.erase(it);
    } else if (what == 4) {
      store_.seal(id);
      for (size_t i = 0; i < it->second.size() / kKvBlockPositions; ++i) remember_sealed(store_.block_table(id)[i]);
    } else {
      write(id, it->second, pick(200));
    }
  }

  void verify() {
    std::map<KvBlockId, int> holders;
    for (const auto& [id, content] : sequences_) {
      ASSERT_EQ(store_.length(id), std::ssize(content));
      const auto table = store_.block_table(id);
      for (size_t i = 0; i < content.size(); ++i) {
        ASSERT_EQ(memory_[static_cast<size_t>(table[i / 64])][i % 64], content[i]) << "sequence " << id << " at " << i;
      }
      ASSERT_EQ(std::set<KvBlockId>(table.begin(), table.end()).size(), table.size()) << "a block stands twice";
      for (KvBlockId block : table) ++holders[block];
    }
    const KvStats stats = store_.stats();
    ASSERT_EQ(stats.blocks_in_use, std::ssize(holders));
    ASSERT_EQ(stats.blocks_free, kBlocks - std::ssize(holders));
    ASSERT_EQ(stats.blocks_shared, std::count_if(holders.begin(), holders.end(), [](auto& h) { return h.second > 1; }));
    ASSERT_EQ(stats.copies_on_write, copies_);
    std::erase_if(sealed_, [&](const auto& entry) { return holders.count(entry.first) == 0; });
    for (const auto& [block, content] : sealed_) ASSERT_EQ(memory_[static_cast<size_t>(block)], content);
  }

  void release_all() {
    for (const auto& [id, content] : sequences_) store_.release(id);
    EXPECT_EQ(store_.stats().blocks_free, kBlocks);
  }

  int64_t copies() const { return copies_; }
  int64_t refusals() const { return refusals_; }
  // Everything that must not depend on the placement.
  std::vector<int64_t> trace;

 private:
  static constexpr int kBlocks = 24;
  using Block = std::array<int, kKvBlockPositions>;

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  void write(SequenceId id, std::vector<int>& content, int n) {
    const KvGrant grant = store_.reserve(id, n);
    trace.insert(trace.end(), {grant.granted, grant.needed_blocks, grant.free_blocks, std::ssize(grant.copies)});
    if (!grant.granted) {
      EXPECT_GT(grant.needed_blocks, grant.free_blocks);
      ++refusals_;
      return;
    }
    for (const KvBlockCopy& copy : grant.copies) {
      memory_[static_cast<size_t>(copy.to)] = memory_[static_cast<size_t>(copy.from)];
      ++copies_;
    }
    for (int i = 0; i < n; ++i) {
      const size_t position = content.size();
      memory_[static_cast<size_t>(store_.block_table(id)[position / 64])][position % 64] = ++last_written_;
      content.push_back(last_written_);
    }
    // A step that fails after it wrote some rows appends less than it reserved.
    const int appended = pick(4) == 0 ? pick(n + 1) : n;
    store_.append(id, appended);
    content.resize(content.size() - static_cast<size_t>(n - appended));
  }

  void remember_sealed(KvBlockId block) { sealed_.emplace(block, memory_[static_cast<size_t>(block)]); }

  std::mt19937 random_;
  KvStore store_;
  std::vector<Block> memory_ = std::vector<Block>(kBlocks);
  std::map<SequenceId, std::vector<int>> sequences_;  // what each has written, per position
  std::map<KvBlockId, Block> sealed_;                 // content at the time of sealing, while held
  int last_written_ = 0;
  int64_t copies_ = 0;
  int64_t refusals_ = 0;
};

KvPlacement scattered(uint32_t seed) {
  return [random = std::mt19937(seed)](std::span<const KvBlockId> free) mutable { return random() % free.size(); };
}

TEST(KvStore, RandomOperationsNeverMixSequencesOrLeakBlocks) {
  int64_t copies = 0, refusals = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    KvModel lowest(seed, nullptr);
    KvModel spread(seed, scattered(seed + 1000));
    for (int i = 0; i < 400; ++i) {
      for (KvModel* model : {&lowest, &spread}) {
        model->step();
        ASSERT_NO_FATAL_FAILURE(model->verify()) << "seed " << seed << ", operation " << i;
      }
    }
    EXPECT_EQ(lowest.trace, spread.trace) << "seed " << seed;
    copies += lowest.copies();
    refusals += lowest.refusals();
    lowest.release_all();
    spread.release_all();
  }
  EXPECT_GT(copies, 100);
  EXPECT_GT(refusals, 100);
}

}  // namespace
}  // namespace minfer
