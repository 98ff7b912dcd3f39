#include "text/tokenizer/word_merger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "base/error.h"

namespace minfer {
namespace {

constexpr uint32_t kEnd = std::numeric_limits<uint32_t>::max();
constexpr TokenId kGone = -1;

// Up to this length looking through all neighbours is quicker than keeping them in order.
constexpr size_t kMaxShort = 32;

// Lowest rank first, then the leftmost.
uint64_t heap_entry(uint32_t rank, uint32_t left) {
  return uint64_t{rank} << 32 | left;
}

}  // namespace

void WordMerger::merge(std::vector<TokenId>& ids, size_t first) {
  const size_t n = ids.size() - first;
  if (n >= kEnd) fail(ErrorCode::kInvalidArgument, "[tokenizer] one word of {} tokens: expected fewer than 2^32", n);
  if (n <= kMaxShort) {
    merge_short(ids, first);
  } else {
    merge_long(ids, first);
  }
}

void WordMerger::merge_short(std::vector<TokenId>& ids, size_t first) {
  TokenId* const tokens = ids.data() + first;
  size_t n = ids.size() - first;
  std::array<MergeTable::Merge, kMaxShort> merges;  // [n - 1] of a token and the next
  for (size_t i = 0; i + 1 < n; ++i) merges[i] = merges_.find(tokens[i], tokens[i + 1]);
  while (n > 1) {
    const auto end = merges.begin() + static_cast<ptrdiff_t>(n - 1);
    const auto best = std::min_element(merges.begin(), end, [](auto& a, auto& b) { return a.rank < b.rank; });
    if (!*best) break;
    const auto at = static_cast<size_t>(best - merges.begin());
    tokens[at] = best->merged;
    std::copy(tokens + at + 2, tokens + n, tokens + at + 1);
    std::copy(best + 1, end, best);
    --n;
    if (at > 0) merges[at - 1] = merges_.find(tokens[at - 1], tokens[at]);
    if (at + 1 < n) merges[at] = merges_.find(tokens[at], tokens[at + 1]);
  }
  ids.resize(first + n);
}

void WordMerger::merge_long(std::vector<TokenId>& ids, size_t first) {
  start_long(ids, first);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const uint64_t entry = heap_.back();
    heap_.pop_back();
    apply(static_cast<uint32_t>(entry >> 32), static_cast<uint32_t>(entry));
  }
  ids.resize(first);
  for (uint32_t i = 0; i != kEnd; i = symbols_[i].next) ids.push_back(symbols_[i].id);
}

void WordMerger::start_long(const std::vector<TokenId>& ids, size_t first) {
  symbols_.clear();
  heap_.clear();
  const auto n = static_cast<uint32_t>(ids.size() - first);
  symbols_.reserve(n);
  for (uint32_t i = 0; i < n; ++i)
    symbols_.push_back({ids[first + i], i == 0 ? kEnd : i - 1, i + 1 == n ? kEnd : i + 1});
  for (uint32_t i = 0; i + 1 < n; ++i) {
    if (const auto merge = merges_.find(symbols_[i].id, symbols_[i + 1].id)) heap_.push_back(heap_entry(merge.rank, i));
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void WordMerger::offer(uint32_t left) {
  if (left == kEnd || symbols_[left].next == kEnd) return;
  const auto merge = merges_.find(symbols_[left].id, symbols_[symbols_[left].next].id);
  if (!merge) return;
  heap_.push_back(heap_entry(merge.rank, left));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// Joins the symbol at `left` with its neighbour if the two still are the pair of `rank`.
void WordMerger::apply(uint32_t rank, uint32_t left) {
  Symbol& symbol = symbols_[left];
  if (symbol.id == kGone || symbol.next == kEnd) return;
  Symbol& neighbour = symbols_[symbol.next];
  const auto merge = merges_.find(symbol.id, neighbour.id);
  if (merge.rank != rank) return;
  symbol.id = merge.merged;
  symbol.next = neighbour.next;
  neighbour.id = kGone;
  if (symbol.next != kEnd) symbols_[symbol.next].previous = left;
  offer(symbol.previous);
  offer(left);
}

}  // namespace minfer
