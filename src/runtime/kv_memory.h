// Device memory of the key/value blocks: one buffer per layer and device, all with the same block ids (kv_store.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "backend/device.h"
#include "runtime/kv_store.h"

namespace minfer {

// Bytes that `n_layers` layers need for `n_positions` positions, in whole blocks of `block_bytes`
// (Device::kv_block_bytes). Error kInvalidArgument when that exceeds int64.
int64_t kv_cache_bytes(int64_t block_bytes, int64_t n_layers, int64_t n_positions);

class KvMemory {
 public:
  // Every buffer has room for `n_blocks` blocks.
  explicit KvMemory(int32_t n_blocks);

  // The buffer of a layer on a device: n_blocks × device.kv_block_bytes(block), zeroed, allocated when it is first
  // asked for. kOutOfMemory as Device::allocate; then nothing is kept and a later call may succeed. kInternal when the
  // layer was asked for with another device object or block description. The range is valid as long as this object,
  // which must go before the device.
  BufferRange layer_buffer(int layer, DeviceId id, Device& device, const TensorDesc& block);

  // Does the copies in their order, in every buffer there is.
  void copy_blocks(std::span<const KvBlockCopy> copies);

  int32_t n_blocks() const { return n_blocks_; }
  // Bytes of all buffers so far.
  int64_t size_bytes() const;

 private:
  struct LayerBuffer {
    Device* device = nullptr;
    TensorDesc block;         // what one block holds
    int64_t block_bytes = 0;  // and its size on the device
    std::unique_ptr<DeviceBuffer> buffer;
  };

  BufferRange block_range(const LayerBuffer& layer, KvBlockId id) const;

  int32_t n_blocks_;
  std::map<std::pair<int, DeviceId>, LayerBuffer> buffers_;
};

}  // namespace minfer
