// The arithmetic of the penalties for one token.
#pragma once

#include <cstddef>

namespace minfer::sampling {

struct PenaltyRules {
  float repeat = 1.0F;  // ignored up to 1
  float frequency = 0.0F;
  float presence = 0.0F;
};

// The logit of a token that occurred `count` (at least 1) times: minus count · frequency, minus presence, then divided
// by repeat when positive, else multiplied by it. -inf stays -inf; a finite logit stays finite.
float penalize(float logit, size_t count, const PenaltyRules& rules);

}  // namespace minfer::sampling
