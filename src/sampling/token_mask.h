// What sampling sees of a grammar: which tokens may come next.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace minfer::sampling {

// The state of one sequence's constraint. The chain that owns it calls it from one thread.
class TokenMask {
 public:
  virtual ~TokenMask() = default;

  // Sets the logit of every token that may not come next to -inf; changes nothing else. `logits` [n_vocab], by id.
  virtual void apply(std::span<float> logits) = 0;

  // Moves on by one generated token.
  virtual void accept(int32_t token) = 0;

  // Takes back the last `n` accepted tokens.
  virtual void rollback(size_t n) = 0;

  virtual std::unique_ptr<TokenMask> clone() const = 0;
};

}  // namespace minfer::sampling
