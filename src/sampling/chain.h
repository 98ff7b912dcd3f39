// The sampling chain of one sequence: logits in, token out. The order is penalties, grammar mask, greedy choice, top-k,
// top-p, min-p, temperature, draw; a sampler that is off does exactly nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sampling/params.h"
#include "sampling/sampler.h"
#include "sampling/token_mask.h"

namespace minfer::sampling {

// A token depends on the parameters, the tokens accepted so far and the logits, on nothing else: sampling twice without
// accept gives the same token, and after rollback the same tokens come again. Not safe for use by several threads at
// once.
class Chain {
 public:
  // Throws kInvalidArgument ("sampler: …") for impossible parameters. `mask` may be null.
  explicit Chain(const SamplingParams& params, std::unique_ptr<TokenMask> mask = nullptr);

  // An independent copy; `choice_index` makes it draw other numbers.
  Chain clone() const { return clone(params_.choice_index); }
  Chain clone(uint32_t choice_index) const;

  // Tokens of the sequence that were not generated under the mask: the prompt, a user's turn. All of them must pass
  // through here or accept, since their count is the position that keys the random draw.
  void accept_prompt(std::span<const int32_t> tokens);

  // One generated token; moves the mask on.
  void accept(int32_t token);

  // Takes back the last `n` calls of accept. Throws kInternal when fewer were made since the last accept_prompt.
  void rollback(size_t n);

  // The next token after those accepted; `logits` [n_vocab], at least one. Empty when the mask allows no token. A NaN
  // counts as -inf and +inf as the largest finite value; throws kInternal when no usable logit is left before the mask.
  std::optional<int32_t> sample(std::span<const float> logits);

  const SamplingParams& params() const { return params_; }
  std::span<const int32_t> history() const { return history_; }

 private:
  void load(std::span<const float> logits);
  void keep_candidates();
  int32_t choose() const;

  SamplingParams params_;
  std::vector<std::shared_ptr<const Sampler>> vocabulary_;  // by place
  std::vector<std::shared_ptr<const Sampler>> candidates_;  // by place
  std::unique_ptr<TokenMask> mask_;
  std::vector<int32_t> history_;
  size_t n_generated_ = 0;

  std::vector<float> logits_;  // [n_vocab], then [n_candidates]
  std::vector<int32_t> ids_;   // [n_candidates] ascending; index i of logits_ is token ids_[i]
};

}  // namespace minfer::sampling
