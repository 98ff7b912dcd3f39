#include "runtime/kv_memory.h"

#include <fmt/format.h>

#include "base/error.h"

namespace minfer {

int64_t kv_cache_bytes(int64_t block_bytes, int64_t n_layers, int64_t n_positions) {
  check(block_bytes >= 0 && n_layers >= 0 && n_positions >= 0,
        "[kv memory] expected sizes, got {} bytes, {} layers, {} positions", block_bytes, n_layers, n_positions);
  const int64_t layer_bytes = checked_multiply(block_bytes, kv_blocks_for(n_positions), "kv memory");
  return checked_multiply(layer_bytes, n_layers, "kv memory");
}

KvMemory::KvMemory(int32_t n_blocks) : n_blocks_(n_blocks) {
  check(n_blocks > 0, "[kv memory] expected at least one block, got {}", n_blocks);
}

BufferRange KvMemory::layer_buffer(int layer, DeviceId id, Device& device, const TensorDesc& block) {
  auto it = buffers_.find({layer, id});
  if (it == buffers_.end()) {
    LayerBuffer made{&device, block, device.kv_block_bytes(block), nullptr};
    const int64_t bytes = checked_multiply(made.block_bytes, n_blocks_, "kv memory");
    made.buffer = device.allocate(bytes, MemoryTag::kKv, fmt::format("KV blocks of layer {}", layer));
    it = buffers_.emplace(std::pair{layer, id}, std::move(made)).first;
  }
  const LayerBuffer& found = it->second;
  check(found.device == &device && found.block == block,
        "[kv memory] layer {} on device {}: expected blocks of {}, got {} (or another device object)", layer, id,
        found.block.to_string(), block.to_string());
  return {found.buffer.get(), 0, found.block_bytes * n_blocks_};
}

void KvMemory::copy_blocks(std::span<const KvBlockCopy> copies) {
  for (const KvBlockCopy& copy : copies) {
    const auto exists = [this](KvBlockId id) { return id >= 0 && id < n_blocks_; };
    check(exists(copy.from) && exists(copy.to) && copy.from != copy.to,
          "[kv memory] cannot copy block {} to block {} of {} blocks", copy.from, copy.to, n_blocks_);
  }
  for (const auto& [key, layer] : buffers_) {
    for (const KvBlockCopy& copy : copies) {
      layer.device->copy(block_range(layer, copy.to), block_range(layer, copy.from));
    }
  }
}

int64_t KvMemory::size_bytes() const {
  int64_t bytes = 0;
  for (const auto& [key, layer] : buffers_) bytes += layer.block_bytes * n_blocks_;
  return bytes;
}

BufferRange KvMemory::block_range(const LayerBuffer& layer, KvBlockId id) const {
  return {layer.buffer.get(), layer.block_bytes * id, layer.block_bytes};
}

}  // namespace minfer
