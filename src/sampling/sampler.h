// The interface that every row of sampler_list.inc implements, and the list turned into functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sampling/params.h"

namespace minfer::sampling {

// What a step knows besides its logits.
struct StepContext {
  std::span<const int32_t> history;  // [n_tokens] the sequence so far: prompt, then generated tokens
};

// One immutable step of the chain; what changes from token to token comes in through StepContext, so a chain can be
// copied and rolled back freely.
class Sampler {
 public:
  virtual ~Sampler() = default;

  // Changes `logits` [n] in place. In the stage kVocabulary the index is the token's id; in the stage kCandidates the
  // entries are those that survived so far, by ascending id, all finite and at least one. -inf removes an entry for
  // good; a candidate sampler never removes the largest one (lowest id on ties).
  virtual void apply(std::span<float> logits, const StepContext& context) const = 0;
};

// Where in the chain a sampler runs: over the whole vocabulary, before the grammar's mask and the greedy choice, or
// over the candidates that these left.
enum class SamplerStage { kVocabulary, kCandidates };

// A row's factory: null when `params` switch the sampler off.
#define MINFER_SAMPLER(name, stage, place) std::unique_ptr<Sampler> make_##name(const SamplingParams& params);
#include "sampling/sampler_list.inc"
#undef MINFER_SAMPLER

}  // namespace minfer::sampling
