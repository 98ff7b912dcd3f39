// Keeps the compiled graphs of an engine, so that a step rebuilds nothing that an earlier one has built.
#pragma once

#include <cstdint>
#include <functional>
#include <list>

#include "runtime/compiled_graph.h"

namespace minfer {

enum class GraphKind : uint8_t { kBody, kHead };

// Everything that the topology of a graph depends on.
struct GraphKey {
  GraphKind kind = GraphKind::kBody;
  int64_t rows = 1;  // capacity class
  int first_layer = 0;
  int last_layer = 0;  // exclusive
  bool with_embedding = true;
  bool fuse = true;
  DType kv_dtype = DType::kF16;
  int64_t max_blocks = 0;  // width of the block tables

  bool operator==(const GraphKey&) const = default;
};

// The smallest class (1, 2, 4, … 512) that holds `rows`. Throws kInternal outside 1 … 512.
int64_t capacity_class(int64_t rows);

class GraphCache {
 public:
  using Build = std::function<CompiledGraph()>;
  using Evicted = std::function<void(uint64_t uid)>;

  // Keeps at most `max_graphs` graphs (at least 1); the one used longest ago goes first, and `evicted` (may be null)
  // hears of it, so that an executor forgets its staging buffers.
  explicit GraphCache(int max_graphs, Evicted evicted = nullptr);

  // The graph of `key`, built when it is not there, with a uid that this cache never gives again. The reference holds
  // until `max_graphs` other keys were asked for. What `build` throws passes through and changes nothing.
  const CompiledGraph& get(const GraphKey& key, const Build& build);

  int64_t builds() const { return builds_; }
  int64_t reuses() const { return reuses_; }
  int size() const { return static_cast<int>(entries_.size()); }

 private:
  struct Entry {
    GraphKey key;
    CompiledGraph graph;
  };

  int max_graphs_;
  Evicted evicted_;
  std::list<Entry> entries_;  // the one used last in front
  uint64_t next_uid_ = 1;
  int64_t builds_ = 0;
  int64_t reuses_ = 0;
};

}  // namespace minfer
