#include "sampling/chain.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "sampling/draw.h"
#include "sampling/greedy.h"

namespace minfer::sampling {
namespace {

constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kRemoved = -std::numeric_limits<float>::infinity();

struct Row {
  SamplerStage stage;
  int place;
  std::unique_ptr<Sampler> (*make)(const SamplingParams&);
};

constexpr Row kRows[] = {
#define MINFER_SAMPLER(name, stage, place) {SamplerStage::stage, place, make_##name},
#include "sampling/sampler_list.inc"
#undef MINFER_SAMPLER
};

std::vector<std::shared_ptr<const Sampler>> make_stage(SamplerStage stage, const SamplingParams& params) {
  std::vector<Row> rows;
  std::copy_if(std::begin(kRows), std::end(kRows), std::back_inserter(rows),
               [&](const Row& row) { return row.stage == stage; });
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.place < b.place; });
  std::vector<std::shared_ptr<const Sampler>> samplers;
  for (const Row& row : rows) {
    if (std::shared_ptr<const Sampler> sampler = row.make(params)) samplers.push_back(std::move(sampler));
  }
  return samplers;
}

bool is_removed(float v) {
  return v < -kMax;
}

}  // namespace

Chain::Chain(const SamplingParams& params, std::unique_ptr<TokenMask> mask) : params_(params), mask_(std::move(mask)) {
  validate(params_);
  vocabulary_ = make_stage(SamplerStage::kVocabulary, params_);
  candidates_ = make_stage(SamplerStage::kCandidates, params_);
}

Chain Chain::clone(uint32_t choice_index) const {
  SamplingParams params = params_;
  params.choice_index = choice_index;
  Chain copy(params, mask_ ? mask_->clone() : nullptr);
  copy.history_ = history_;
  copy.n_generated_ = n_generated_;
  return copy;
}

void Chain::accept_prompt(std::span<const int32_t> tokens) {
  history_.insert(history_.end(), tokens.begin(), tokens.end());
  n_generated_ = 0;
}

void Chain::accept(int32_t token) {
  if (mask_) mask_->accept(token);
  history_.push_back(token);
  ++n_generated_;
}

void Chain::rollback(size_t n) {
  check(n <= n_generated_, "[sampler] cannot take back {} tokens: only {} were generated", n, n_generated_);
  if (mask_ && n > 0) mask_->rollback(n);
  history_.resize(history_.size() - n);
  n_generated_ -= n;
}

std::optional<int32_t> Chain::sample(std::span<const float> logits) {
  load(logits);
  const StepContext context{history_};
  for (const auto& sampler : vocabulary_) sampler->apply(logits_, context);
  if (mask_) mask_->apply(logits_);
  if (params_.temperature < kGreedyTemperature) {
    const size_t best = greedy(logits_);
    if (is_removed(logits_[best])) return std::nullopt;
    return static_cast<int32_t>(best);
  }
  ids_.clear();
  keep_candidates();
  if (ids_.empty()) return std::nullopt;
  for (const auto& sampler : candidates_) {
    sampler->apply(logits_, context);
    keep_candidates();
  }
  return choose();
}

void Chain::load(std::span<const float> logits) {
  check(!logits.empty() && logits.size() <= static_cast<size_t>(std::numeric_limits<int32_t>::max()),
        "[sampler] a vocabulary of {} tokens cannot be sampled", logits.size());
  logits_.resize(logits.size());
  bool any = false;
  for (size_t i = 0; i < logits.size(); ++i) {
    const float v = logits[i] >= -kMax ? logits[i] : kRemoved;
    logits_[i] = v > kMax ? kMax : v;
    any |= !is_removed(v);
  }
  check(any, "[sampler] none of the {} logits is a number", logits.size());
}

// Drops the entries that are -inf. The first call of a step turns indices that are ids into an explicit list.
void Chain::keep_candidates() {
  const bool first = ids_.empty();
  if (first) ids_.resize(logits_.size());
  size_t kept = 0;
  for (size_t i = 0; i < logits_.size(); ++i) {
    if (is_removed(logits_[i])) continue;
    logits_[kept] = logits_[i];
    ids_[kept] = first ? static_cast<int32_t>(i) : ids_[i];
    ++kept;
  }
  logits_.resize(kept);
  ids_.resize(kept);
}

int32_t Chain::choose() const {
  const DrawKey key{params_.seed, params_.choice_index, static_cast<uint32_t>(history_.size())};
  return ids_[draw(logits_, uniform(key, DrawStream::kToken))];
}

}  // namespace minfer::sampling
