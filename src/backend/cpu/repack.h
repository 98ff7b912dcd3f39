// Reading a batch of weights into one arena: where each of them goes, and the work of it, cut into pieces for all
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "backend/weight_source.h"
#include "base/memory_ledger.h"
#include "base/thread_pool.h"

namespace minfer::cpu {

enum class Placement {
  kView,    // stays where it is
  kCopy,    // vectors of the arena, as stored
  kPanels,  // interleaved in the arena
};

struct PlannedWeight {
  WeightId id = kNone;
  Placement placement = Placement::kView;
  TensorDesc desc;
  size_t offset = 0;  // in the arena
};

// A part of a weight that one thread reads at once.
struct RepackPiece {
  size_t weight = 0;      // of RepackPlan::weights()
  int64_t first_row = 0;  // a multiple of kPanelRows for panels
  int64_t n_rows = 0;
  int64_t bytes = 0;  // stored
};

class RepackPlan {
 public:
  // Matrices for which `interleaves` holds become panels; when there is one, vectors are copied beside them, and
  // everything else stays a view.
  RepackPlan(const WeightBatch& batch, const std::function<bool(const TensorDesc& desc)>& interleaves);

  const std::vector<PlannedWeight>& weights() const { return weights_; }  // in the order of their storage
  const std::vector<RepackPiece>& pieces() const { return pieces_; }      // the same
  size_t arena_bytes() const { return arena_bytes_; }
  uint64_t raw_bytes() const { return raw_bytes_; }        // of the views
  uint64_t stored_bytes() const { return stored_bytes_; }  // that are read: of panels and copies
  int64_t largest_piece() const { return largest_piece_; }

 private:
  void place(PlannedWeight& weight);
  void cut(size_t index);

  std::vector<PlannedWeight> weights_;
  std::vector<RepackPiece> pieces_;
  size_t arena_bytes_ = 0;
  uint64_t raw_bytes_ = 0;
  uint64_t stored_bytes_ = 0;
  int64_t largest_piece_ = 0;
};

// Reads and interleaves all pieces into `arena` (plan.arena_bytes(), zeroed). Throws what the source throws, and
// kCancelled.
void repack(const RepackPlan& plan, const WeightBatch& batch, ThreadPool& pool, MemoryLedger& ledger, std::byte* arena);

}  // namespace minfer::cpu
