// The weights of the CPU: interleaved into memory of their own where the kernels read panels, else views of where they
// came from.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/weight_arena.h"
#include "backend/cpu/weight_view.h"
#include "backend/weight_source.h"
#include "base/thread_pool.h"

namespace minfer::cpu {

class WeightStore {
 public:
  // All arguments must outlive the store. A matrix is interleaved if `repack` and `kernels` read panels of its type.
  WeightStore(ThreadPool& pool, MemoryLedger& ledger, const KernelTable& kernels, bool repack)
      : pool_(pool), ledger_(ledger), kernels_(kernels), repack_(repack) {}

  // Takes a batch: refuses it for want of memory before anything is read, then reads with all threads. Throws what the
  // source and the ledger throw; afterwards, none of the batch is there. A weight that is there already is kInternal.
  void add(const WeightBatch& batch);

  // `data` is null for a weight that is not there.
  WeightView view(WeightId id) const;

  // Memory of one thread for a panel of any raw matrix whose kernels read panels; null when there is none such.
  std::byte* panel_scratch(int thread);

  uint64_t interleaved_bytes() const { return interleaved_bytes_; }  // with their padding
  uint64_t raw_bytes() const { return raw_bytes_; }                  // of the views

 private:
  bool reads_panels(const TensorDesc& desc) const;
  void reserve_panel_scratch(const TensorDesc& desc);

  ThreadPool& pool_;
  MemoryLedger& ledger_;
  const KernelTable& kernels_;
  bool repack_;
  std::vector<WeightArena> arenas_;                // one per batch that needed one
  std::vector<MemoryLedger::Reservation> mapped_;  // views count as weights
  std::vector<WeightView> views_;                  // [WeightId]
  TrackedBuffer panel_scratch_;                    // [n_threads][panel_scratch_bytes_]
  size_t panel_scratch_bytes_ = 0;
  uint64_t interleaved_bytes_ = 0;
  uint64_t raw_bytes_ = 0;
};

}  // namespace minfer::cpu
