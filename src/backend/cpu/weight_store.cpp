#include "backend/cpu/weight_store.h"

#include "backend/cpu/interleave.h"
#include "backend/cpu/repack.h"
#include "base/error.h"

namespace minfer::cpu {

bool WeightStore::reads_panels(const TensorDesc& desc) const {
  return desc.shape.rank() == 2 && kernels_.matmul_panels[dtype_index(desc.dtype)].run != nullptr;
}

std::byte* WeightStore::panel_scratch(int thread) {
  return panel_scratch_.data() == nullptr ? nullptr
                                          : panel_scratch_.data() + static_cast<size_t>(thread) * panel_scratch_bytes_;
}

void WeightStore::reserve_panel_scratch(const TensorDesc& desc) {
  const auto bytes = static_cast<size_t>(panel_bytes(desc.dtype, desc.shape[1]));
  if (bytes <= panel_scratch_bytes_) return;
  panel_scratch_bytes_ = bytes;
  panel_scratch_ = TrackedBuffer(ledger_, MemoryTag::kScratch, bytes * static_cast<size_t>(pool_.n_threads()),
                                 "panels of raw weights");
}

void WeightStore::add(const WeightBatch& batch) {
  for (WeightId id : batch.ids) {
    check(view(id).data == nullptr, "[cpu] weight '{}' is registered twice", batch.table->at(id).name);
  }
  RepackPlan plan(batch, [this](const TensorDesc& desc) { return repack_ && reads_panels(desc); });
  MemoryLedger::Reservation mapped = ledger_.reserve(MemoryTag::kWeights, plan.raw_bytes(), "the model's weights");
  WeightArena arena(ledger_, plan.arena_bytes());
  repack(plan, batch, pool_, ledger_, arena.data());
  for (const PlannedWeight& weight : plan.weights()) {
    const auto index = static_cast<size_t>(weight.id);
    if (views_.size() <= index) views_.resize(index + 1);
    if (weight.placement == Placement::kView) {
      if (reads_panels(weight.desc)) reserve_panel_scratch(weight.desc);
      views_[index] = {batch.source->view(weight.id).data(), WeightLayout::kRaw};
    } else {
      const bool is_panels = weight.placement == Placement::kPanels;
      views_[index] = {arena.data() + weight.offset, is_panels ? WeightLayout::kInterleaved : WeightLayout::kRaw};
    }
  }
  interleaved_bytes_ += plan.arena_bytes();
  raw_bytes_ += plan.raw_bytes();
  mapped_.push_back(std::move(mapped));
  arenas_.push_back(std::move(arena));
}

WeightView WeightStore::view(WeightId id) const {
  return static_cast<size_t>(id) < views_.size() ? views_[static_cast<size_t>(id)] : WeightView{};
}

}  // namespace minfer::cpu
