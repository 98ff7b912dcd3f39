#include "backend/cpu/weight_store.h"

#include "backend/cpu/repack.h"
#include "base/error.h"

namespace minfer::cpu {

bool WeightStore::interleaves(const TensorDesc& desc) const {
  return repack_ && desc.shape.rank() == 2 && kernels_.matmul_panels[dtype_index(desc.dtype)].run != nullptr;
}

void WeightStore::add(const WeightBatch& batch) {
  for (WeightId id : batch.ids) {
    check(view(id).data == nullptr, "[cpu] weight '{}' is registered twice", batch.table->at(id).name);
  }
  RepackPlan plan(batch, [this](const TensorDesc& desc) { return interleaves(desc); });
  MemoryLedger::Reservation mapped = ledger_.reserve(MemoryTag::kWeights, plan.raw_bytes(), "the model's weights");
  WeightArena arena(ledger_, plan.arena_bytes());
  repack(plan, batch, pool_, ledger_, arena.data());
  for (const PlannedWeight& weight : plan.weights()) {
    const auto index = static_cast<size_t>(weight.id);
    if (views_.size() <= index) views_.resize(index + 1);
    if (weight.placement == Placement::kView) {
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
