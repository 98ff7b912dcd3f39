#include "runtime/kv_store.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace minfer {
namespace {

// Positions travel to the kernels as int32.
constexpr int64_t kMaxPositions = std::numeric_limits<int32_t>::max();

}  // namespace

KvStore::KvStore(int32_t n_blocks, KvPlacement placement) : placement_(std::move(placement)) {
  check(n_blocks > 0, "[kv store] expected at least one block, got {}", n_blocks);
  blocks_.resize(static_cast<size_t>(n_blocks));
  free_.resize(static_cast<size_t>(n_blocks));
  std::iota(free_.begin(), free_.end(), 0);
}

SequenceId KvStore::create() {
  const SequenceId id = next_id_++;
  sequences_.emplace(id, Sequence{});
  return id;
}

SequenceId KvStore::fork(SequenceId id) {
  Sequence& source = at(id);
  // A step that was reserved before would write to a block that is shared from now on.
  source.reserved = 0;
  Sequence copy = source;
  copy.table.resize(static_cast<size_t>(kv_blocks_for(source.length)));
  const SequenceId forked = create();  // before the blocks have another holder: it may lack the memory
  for (KvBlockId held : copy.table) ++block(held).holders;
  sequences_[forked] = std::move(copy);
  return forked;
}

void KvStore::truncate(SequenceId id, int64_t n_positions) {
  Sequence& sequence = at(id);
  check(n_positions >= 0 && n_positions <= sequence.length,
        "[kv store] cannot cut sequence {} of {} positions to {} positions", id, sequence.length, n_positions);
  sequence.length = n_positions;
  sequence.reserved = 0;
  const auto kept = static_cast<size_t>(kv_blocks_for(n_positions));
  for (size_t i = kept; i < sequence.table.size(); ++i) drop(sequence.table[i]);
  sequence.table.resize(kept);
}

void KvStore::seal(SequenceId id) {
  const Sequence& sequence = at(id);
  const auto full = static_cast<size_t>(sequence.length / kKvBlockPositions);
  for (size_t i = 0; i < full; ++i) block(sequence.table[i]).sealed = true;
}

void KvStore::release(SequenceId id) {
  for (KvBlockId held : at(id).table) drop(held);
  sequences_.erase(id);
}

KvGrant KvStore::reserve(SequenceId id, int64_t n_positions) {
  Sequence& sequence = at(id);
  check(n_positions >= 0 && n_positions <= kMaxPositions - sequence.length,
        "[kv store] cannot reserve {} positions behind the {} of sequence {}", n_positions, sequence.length, id);
  const bool copy = writes_to_a_foreign_block(sequence, n_positions);
  const int64_t table_blocks = kv_blocks_for(sequence.length + n_positions);
  const int64_t missing = std::max<int64_t>(0, table_blocks - std::ssize(sequence.table));

  KvGrant grant{false, missing + (copy ? 1 : 0), std::ssize(free_), {}};
  if (grant.needed_blocks > grant.free_blocks) return grant;
  // All memory comes first: blocks that were taken are always in a table, and a copy that is due is always told.
  sequence.table.reserve(static_cast<size_t>(table_blocks));
  if (copy) grant.copies.reserve(1);
  grant.granted = true;
  for (int64_t i = 0; i < missing; ++i) sequence.table.push_back(take());
  if (copy) {
    KvBlockId& last = sequence.table[static_cast<size_t>(sequence.length / kKvBlockPositions)];
    const KvBlockCopy made{last, take()};
    drop(made.from);
    last = made.to;
    grant.copies.push_back(made);
    ++copies_on_write_;
  }
  sequence.reserved = std::max(sequence.reserved, n_positions);
  return grant;
}

void KvStore::append(SequenceId id, int64_t n_positions) {
  Sequence& sequence = at(id);
  check(n_positions >= 0 && n_positions <= sequence.reserved,
        "[kv store] sequence {} has {} reserved positions, cannot append {}", id, sequence.reserved, n_positions);
  sequence.length += n_positions;
  sequence.reserved -= n_positions;
}

int64_t KvStore::length(SequenceId id) const {
  return at(id).length;
}

std::span<const KvBlockId> KvStore::block_table(SequenceId id) const {
  return at(id).table;
}

KvStats KvStore::stats() const {
  KvStats stats;
  stats.blocks_free = std::ssize(free_);
  stats.blocks_in_use = n_blocks() - stats.blocks_free;
  stats.blocks_shared = std::count_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.holders > 1; });
  stats.copies_on_write = copies_on_write_;
  return stats;
}

KvStore::Sequence& KvStore::at(SequenceId id) {
  return const_cast<Sequence&>(std::as_const(*this).at(id));
}

const KvStore::Sequence& KvStore::at(SequenceId id) const {
  const auto it = sequences_.find(id);
  check(it != sequences_.end(), "[kv store] no sequence has the id {}", id);
  return it->second;
}

// Only the block that holds both old and new positions can be another's: blocks behind it were taken for this sequence.
bool KvStore::writes_to_a_foreign_block(const Sequence& sequence, int64_t n_positions) const {
  if (n_positions == 0 || sequence.length % kKvBlockPositions == 0) return false;
  const Block& last = block(sequence.table[static_cast<size_t>(sequence.length / kKvBlockPositions)]);
  return last.holders > 1 || last.sealed;
}

KvBlockId KvStore::take() {
  const size_t index = placement_ ? placement_(free_) : 0;
  check(index < free_.size(), "[kv store] the placement chose free block {} of {}", index, free_.size());
  const KvBlockId id = free_[index];
  free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(index));
  block(id).holders = 1;
  return id;
}

void KvStore::drop(KvBlockId id) {
  if (--block(id).holders > 0) return;
  block(id).sealed = false;
  free_.insert(std::lower_bound(free_.begin(), free_.end(), id), id);
}

}  // namespace minfer
