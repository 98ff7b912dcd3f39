// A hash table without an allocation per entry: it keeps positions in an array of the caller's, where the keys stand.
// Built once and then read; may be read by several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "text/tokenizer/text_hash.h"

namespace minfer {

class FlatIndex {
 public:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  // Room for `n_entries`, fewer than 2^31. Takes 6 to 12 bytes an entry.
  explicit FlatIndex(size_t n_entries);

  // Enters `position`, below `n_entries`, under `hash`, unless is_key(other position) says that the key is there
  // already: then that one is returned, else kNone. Error (kBadFile): over a thousand other keys are in the way, which
  // happens only to keys that were chosen to collide.
  template <typename IsKey>
  uint32_t insert(uint64_t hash, uint32_t position, IsKey&& is_key) {
    size_t n_probes = 0;
    size_t at = start(hash);
    for (; slots_[at] != kNone; at = (at + 1) & mask_) {
      if (may_be(slots_[at], hash) && is_key(slots_[at] & position_mask_)) return slots_[at] & position_mask_;
      if (++n_probes == kMaxProbes) refuse_collisions();
    }
    slots_[at] = (static_cast<uint32_t>(hash) & ~position_mask_) | position;
    return kNone;
  }

  // The position that was entered under `hash` and for which is_key(position) holds, or kNone.
  template <typename IsKey>
  uint32_t find(uint64_t hash, IsKey&& is_key) const {
    for (size_t at = start(hash); slots_[at] != kNone; at = (at + 1) & mask_) {
      if (may_be(slots_[at], hash) && is_key(slots_[at] & position_mask_)) return slots_[at] & position_mask_;
    }
    return kNone;
  }

  // Asks for the memory that find or insert will read.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[start(hash)]); }

  size_t size_bytes() const { return slots_.capacity() * sizeof(slots_[0]); }

 private:
  static constexpr size_t kMaxProbes = 1024;

  size_t start(uint64_t hash) const { return static_cast<size_t>(hash >> shift_); }
  bool may_be(uint32_t slot, uint64_t hash) const {
    return ((slot ^ static_cast<uint32_t>(hash)) & ~position_mask_) == 0;
  }
  [[noreturn]] static void refuse_collisions();

  // [a power of two, of which a third is empty at least]: a position in the low bits, the hash's own bits above it;
  // kNone: empty.
  std::vector<uint32_t> slots_;
  size_t mask_;
  uint32_t position_mask_;  // has room for one more than the positions, so that no entry looks like kNone
  int shift_;               // the high bits of a hash are the first place to look at
};

}  // namespace minfer
