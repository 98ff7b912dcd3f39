#include "text/tokenizer/flat_index.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace minfer {
FlatIndex::FlatIndex(size_t n_entries) {
  check(n_entries < size_t{1} << 31, "[tokenizer] {} entries are too many for a FlatIndex", n_entries);
  const size_t n_slots = std::bit_ceil(std::max<size_t>(2, n_entries + n_entries / 2));
  slots_.assign(n_slots, kNone);
  mask_ = n_slots - 1;
  position_mask_ = (uint32_t{1} << std::bit_width(n_entries)) - 1;
  shift_ = 64 - std::countr_zero(n_slots);
}

void FlatIndex::refuse_collisions() {
  fail(ErrorCode::kBadFile,
       "[tokenizer] over {} texts or merges of the vocabulary collide in a hash table: the file was made to waste time",
       kMaxProbes);
}

}  // namespace minfer
