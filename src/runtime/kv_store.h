// Which block of the key/value cache holds which positions of which sequence: reference counts, sharing, copy on write.
// No device memory; that is kv_memory.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "graph/kv_rows.h"

namespace minfer {

using KvBlockId = int32_t;

// Names a live sequence of one store; never used again after release.
using SequenceId = int64_t;

// Blocks that hold positions 0 … n_positions-1.
constexpr int64_t kv_blocks_for(int64_t n_positions) {
  return n_positions / kKvBlockPositions + (n_positions % kKvBlockPositions != 0 ? 1 : 0);
}

// One block's content goes to another, in every layer.
struct KvBlockCopy {
  KvBlockId from = 0;
  KvBlockId to = 0;

  bool operator==(const KvBlockCopy&) const = default;
};

// Answer to reserve(): running out of blocks is expected, not an error.
struct KvGrant {
  bool granted = false;
  int64_t needed_blocks = 0;  // blocks that the request takes from the free ones
  int64_t free_blocks = 0;    // blocks that were free before it
  // To be done in this order, after those of earlier grants and before the step; also when the step is given up.
  std::vector<KvBlockCopy> copies;
};

struct KvStats {
  int64_t blocks_in_use = 0;
  int64_t blocks_free = 0;
  int64_t blocks_shared = 0;    // held by two sequences or more
  int64_t copies_on_write = 0;  // since the store was made

  bool operator==(const KvStats&) const = default;
};

// Chooses among the free blocks (ascending, never empty): returns an index into them. Results of the model do not
// depend on it; tests use it to scatter blocks.
using KvPlacement = std::function<size_t(std::span<const KvBlockId> free)>;

// n_blocks blocks of 64 positions, shared by all sequences. For one thread. A sequence id that is not live, and a
// length that does not fit the call, is Error kInternal.
class KvStore {
 public:
  // Without a placement the lowest free block is taken.
  explicit KvStore(int32_t n_blocks, KvPlacement placement = nullptr);

  // An empty sequence.
  SequenceId create();
  // A sequence of the same content and length that shares every block. What the source has reserved stays the source's,
  // but must be reserved again.
  SequenceId fork(SequenceId id);
  // Forgets the positions from n_positions on, and what is reserved; n_positions <= length.
  void truncate(SequenceId id, int64_t n_positions);
  // The full blocks of the sequence become immutable for as long as any sequence holds them: a sequence that is cut
  // back into one writes to a copy.
  void seal(SequenceId id);
  // Ends the sequence; the id is gone.
  void release(SequenceId id);

  // Gives positions length … length+n_positions-1 blocks that nothing else holds. All or nothing: without enough free
  // blocks nothing changes. Blocks that the sequence already has for them are kept.
  KvGrant reserve(SequenceId id, int64_t n_positions);
  // The step has written n_positions reserved positions: the length grows.
  void append(SequenceId id, int64_t n_positions);

  int64_t length(SequenceId id) const;
  // Block of positions 64·i … 64·i+63, reserved ones included. Valid until the sequence is changed.
  std::span<const KvBlockId> block_table(SequenceId id) const;

  int32_t n_blocks() const { return static_cast<int32_t>(blocks_.size()); }
  KvStats stats() const;

 private:
  struct Block {
    int32_t holders = 0;  // sequences whose table has it
    bool sealed = false;
  };
  struct Sequence {
    int64_t length = 0;
    int64_t reserved = 0;  // positions behind `length` that append() may take
    std::vector<KvBlockId> table;
  };

  Sequence& at(SequenceId id);
  const Sequence& at(SequenceId id) const;
  Block& block(KvBlockId id) { return blocks_[static_cast<size_t>(id)]; }
  const Block& block(KvBlockId id) const { return blocks_[static_cast<size_t>(id)]; }

  bool writes_to_a_foreign_block(const Sequence& sequence, int64_t n_positions) const;
  KvBlockId take();
  void drop(KvBlockId id);

  std::vector<Block> blocks_;    // [n_blocks]
  std::vector<KvBlockId> free_;  // ascending
  std::map<SequenceId, Sequence> sequences_;
  KvPlacement placement_;
  SequenceId next_id_ = 0;
  int64_t copies_on_write_ = 0;
};

}  // namespace minfer
