#include "runtime/graph_cache.h"

#include <algorithm>

#include "base/error.h"

namespace minfer {

int64_t capacity_class(int64_t rows) {
  constexpr int64_t kLargest = 512;
  check(rows >= 1 && rows <= kLargest, "[graph cache] no class holds {} rows: expected 1 to {}", rows, kLargest);
  int64_t capacity = 1;
  while (capacity < rows) capacity *= 2;
  return capacity;
}

GraphCache::GraphCache(int max_graphs, Evicted evicted) : max_graphs_(max_graphs), evicted_(std::move(evicted)) {
  check(max_graphs >= 1, "[graph cache] cannot keep {} graphs: expected at least 1", max_graphs);
}

const CompiledGraph& GraphCache::get(const GraphKey& key, const Build& build) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
  if (found != entries_.end()) {
    ++reuses_;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().graph;
  }
  entries_.push_front({key, build()});
  entries_.front().graph.uid = next_uid_++;
  ++builds_;
  if (size() > max_graphs_) {
    const uint64_t uid = entries_.back().graph.uid;
    entries_.pop_back();
    if (evicted_) evicted_(uid);
  }
  return entries_.front().graph;
}

}  // namespace minfer
