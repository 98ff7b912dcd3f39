#include "backend/cpu/repack.h"

#include <algorithm>
#include <atomic>

#include "backend/cpu/interleave.h"
#include "base/error.h"

namespace minfer::cpu {
namespace {

// Small enough to stay in the second-level cache between the read and the interleaving.
constexpr int64_t kPieceBytes = 256 << 10;

size_t aligned(size_t bytes) {
  constexpr size_t kMask = kPanelAlignment - 1;
  return (bytes + kMask) & ~kMask;
}

// Whole panels, at least one: what is read at once of a matrix.
int64_t rows_per_piece(const TensorDesc& desc) {
  return std::max<int64_t>(1, kPieceBytes / (desc.row_bytes() * kPanelRows)) * kPanelRows;
}

}  // namespace

RepackPlan::RepackPlan(const WeightBatch& batch, const std::function<bool(const TensorDesc& desc)>& interleaves) {
  bool any_panels = false;
  for (WeightId id : batch.ids) {
    const TensorDesc& desc = batch.table->at(id).desc;
    const bool is_panels = interleaves(desc);
    any_panels = any_panels || is_panels;
    weights_.push_back({id, is_panels ? Placement::kPanels : Placement::kView, desc, 0});
  }
  std::sort(weights_.begin(), weights_.end(), [&](const PlannedWeight& a, const PlannedWeight& b) {
    return batch.source->position(a.id) < batch.source->position(b.id);
  });
  for (size_t i = 0; i < weights_.size(); ++i) {
    PlannedWeight& weight = weights_[i];
    if (any_panels && weight.desc.shape.rank() == 1) weight.placement = Placement::kCopy;
    if (weight.placement == Placement::kView) {
      raw_bytes_ += static_cast<uint64_t>(weight.desc.size_bytes());
      continue;
    }
    stored_bytes_ += static_cast<uint64_t>(weight.desc.size_bytes());
    place(weight);
    cut(i);
  }
}

void RepackPlan::place(PlannedWeight& weight) {
  weight.offset = arena_bytes_;
  int64_t bytes = weight.desc.size_bytes();
  if (weight.placement == Placement::kPanels) {
    const int64_t panels = n_panels(weight.desc.shape[0]);
    bytes = checked_multiply(panel_bytes(weight.desc.dtype, weight.desc.shape[1]), panels, "weights");
  }
  arena_bytes_ += aligned(static_cast<size_t>(bytes));
}

void RepackPlan::cut(size_t index) {
  const TensorDesc& desc = weights_[index].desc;
  const bool is_panels = weights_[index].placement == Placement::kPanels;
  const int64_t rows = is_panels ? desc.shape[0] : 1;
  const int64_t row_bytes = is_panels ? desc.row_bytes() : desc.size_bytes();
  const int64_t step = is_panels ? rows_per_piece(desc) : 1;
  for (int64_t row = 0; row < rows; row += step) {
    const int64_t n = std::min(step, rows - row);
    pieces_.push_back({index, row, n, n * row_bytes});
    if (is_panels) largest_piece_ = std::max(largest_piece_, n * row_bytes);
  }
}

namespace {

// One thread's part of the work: takes the next piece until none is left.
class Worker {
 public:
  Worker(const RepackPlan& plan, const WeightBatch& batch, std::byte* arena, std::span<std::byte> buffer)
      : plan_(plan), batch_(batch), arena_(arena), buffer_(buffer) {}

  void run(const RepackPiece& piece) {
    const PlannedWeight& weight = plan_.weights()[piece.weight];
    std::byte* target = arena_ + weight.offset;
    if (weight.placement == Placement::kCopy) {
      batch_.source->read(weight.id, 0, {target, static_cast<size_t>(piece.bytes)});
      return;
    }
    const int64_t row_bytes = weight.desc.row_bytes();
    const auto rows = buffer_.first(static_cast<size_t>(piece.bytes));
    batch_.source->read(weight.id, piece.first_row * row_bytes, rows);
    const int64_t n_in = weight.desc.shape[1];
    const int64_t stride = panel_bytes(weight.desc.dtype, n_in);
    target += piece.first_row / kPanelRows * stride;
    for (int64_t row = 0; row < piece.n_rows; row += kPanelRows, target += stride) {
      const int n = static_cast<int>(std::min<int64_t>(kPanelRows, piece.n_rows - row));
      interleave(weight.desc.dtype, n_in, rows.data() + row * row_bytes, n, target);
    }
  }

 private:
  const RepackPlan& plan_;
  const WeightBatch& batch_;
  std::byte* arena_;
  std::span<std::byte> buffer_;  // [largest_piece]
};

}  // namespace

void repack(const RepackPlan& plan, const WeightBatch& batch, ThreadPool& pool, MemoryLedger& ledger,
            std::byte* arena) {
  const std::vector<RepackPiece>& pieces = plan.pieces();
  if (pieces.empty()) return;
  const auto buffer_bytes = aligned(static_cast<size_t>(plan.largest_piece()));
  TrackedBuffer buffers(ledger, MemoryTag::kScratch, buffer_bytes * static_cast<size_t>(pool.n_threads()),
                        "reading weights");
  std::atomic<size_t> next{0};
  std::atomic<uint64_t> done{0};
  pool.run([&](Region& region) {
    const auto thread = static_cast<size_t>(region.thread());
    Worker worker(plan, batch, arena, buffers.bytes().subspan(thread * buffer_bytes, buffer_bytes));
    try {
      for (size_t i = next.fetch_add(1); i < pieces.size(); i = next.fetch_add(1)) {
        if (batch.cancel != nullptr && batch.cancel->load()) fail(ErrorCode::kCancelled, "cancelled");
        worker.run(pieces[i]);
        const auto bytes = static_cast<uint64_t>(pieces[i].bytes);
        const uint64_t so_far = done.fetch_add(bytes) + bytes;
        if (thread == 0 && batch.progress) batch.progress(so_far, plan.stored_bytes());
      }
    } catch (...) {
      next.store(pieces.size());  // the others shall stop as well
      throw;
    }
  });
  if (batch.progress) batch.progress(plan.stored_bytes(), plan.stored_bytes());
}

}  // namespace minfer::cpu
