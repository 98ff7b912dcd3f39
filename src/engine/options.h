// What an engine is made with. Defaults are those of the settings table.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "backend/filter.h"
#include "backend/registry.h"
#include "base/log.h"
#include "gguf/metadata.h"
#include "runtime/kv_store.h"
#include "tensor/dtype.h"

namespace minfer {

struct EngineOptions {
  std::string model_path;

  Registry registry;             // builtin::make_registry() for the program, a test's own for tests
  BackendFilter filter;          // the fence
  int64_t n_device_layers = -1;  // blocks that may leave the CPU; -1: all of them

  int n_threads = 1;
  int64_t n_ctx = 4096;      // positions of one sequence; 0: what the model was trained for, which is also the most
  int n_sequences = 1;       // sequences that the key/value blocks have room for at full length
  int64_t chunk_rows = 512;  // rows of one step, 1 to 512
  DType kv_dtype = DType::kF16;
  bool fuse = true;
  bool sync_copies = false;
  uint64_t memory_limit = 0;  // bytes; 0: none

  // While the weights are read, on another thread: for what else the file is good for. Its exception ends the load.
  std::function<void(const GgufMetadata& metadata)> beside_load;
  std::function<void(uint64_t done, uint64_t total)> load_progress;  // in bytes of the weights; may be null
  const std::atomic<bool>* cancel_load = nullptr;                    // ends the load with kCancelled; may be null

  Log log;
  KvPlacement kv_placement;  // tests: where blocks go; null: the lowest free one
};

}  // namespace minfer
