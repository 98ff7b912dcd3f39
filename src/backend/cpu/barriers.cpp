#include "backend/cpu/barriers.h"

#include <algorithm>

namespace minfer::cpu {
namespace {

bool overlap(const BufferRange& a, const BufferRange& b) {
  return a.buffer == b.buffer && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

using Ranges = std::vector<BufferRange>;

bool touch(const Ranges& some, const Ranges& others) {
  return std::any_of(some.begin(), some.end(), [&](const BufferRange& a) {
    return std::any_of(others.begin(), others.end(), [&](const BufferRange& b) { return overlap(a, b); });
  });
}

Ranges ranges_of(const std::vector<ValueId>& values, std::span<const BufferRange> buffers) {
  Ranges ranges;
  for (ValueId value : values) ranges.push_back(buffers[static_cast<size_t>(value)]);
  return ranges;
}

void append(Ranges& to, const Ranges& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<bool> find_barriers(const Graph& graph, std::span<const NodeId> nodes,
                                std::span<const BufferRange> buffers) {
  std::vector<bool> barrier_before;
  Ranges read;     // since the last barrier
  Ranges written;  // since the last barrier
  for (NodeId id : nodes) {
    const Ranges reads = ranges_of(graph.node(id).inputs, buffers);
    const Ranges writes = ranges_of(graph.node(id).outputs, buffers);
    const bool must_wait = touch(reads, written) || touch(writes, written) || touch(writes, read);
    if (must_wait) {
      read.clear();
      written.clear();
    }
    barrier_before.push_back(must_wait);
    append(read, reads);
    append(written, writes);
  }
  return barrier_before;
}

}  // namespace minfer::cpu
